/** A volume of its own under a folder, so that it can be full. Needs root; it is gone, with what it holds, after `remove`. */
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';

/** What others write meanwhile. */
const MARGIN_BYTES = 16 * 1024 * 1024;

const run = (command: string, args: string[]) => execFileSync(command, args, { stdio: 'pipe' });

export class Volume {
  readonly #folder: string;
  readonly #size: string;

  private constructor(folder: string, size: string) {
    this.#folder = folder;
    this.#size = size;
  }

  static mount(folder: string, gibibytes: number): Volume {
    const size = `size=${gibibytes}g`;
    run('mount', ['-t', 'tmpfs', '-o', `${size},mode=0711`, 'millpond-chaos', folder]);
    return new Volume(folder, size);
  }

  /** It becomes hardly larger than what it holds: a filler would be as large as the memory that is left. */
  fill(): void {
    const { blocks, bfree, bsize } = statfsSync(this.#folder);
    this.#remount(`size=${(blocks - bfree) * bsize + MARGIN_BYTES}`);
  }

  free(): void {
    this.#remount(this.#size);
  }

  remove(): void {
    run('umount', ['--lazy', this.#folder]);
  }

  #remount(size: string): void {
    run('mount', ['-o', `remount,${size}`, this.#folder]);
  }
}
