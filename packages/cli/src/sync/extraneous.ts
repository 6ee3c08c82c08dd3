/** What only the target has: noted while the lists are read, and deleted once all lists are read and everything else is done. */
import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '@millpond/client/server';
import { runBatches } from '../object-command.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { runConcurrently } from '../transfer/concurrency.ts';
import { pathInFolder } from '../transfer/local-files.ts';
import type { OutcomeReporter } from '../transfer/outcome.ts';
import { Spill } from '../transfer/spill.ts';
import { nameAt, placeAt, type SyncSide } from './sides.ts';

const MAX_CONCURRENT_FILES = 8;
const DELETE = { action: 'delete' };

export interface DeleteDeps {
  readonly outcomeReporter: OutcomeReporter;
  readonly signal: AbortSignal;
}

export class ExtraneousEntries {
  readonly #names = new Spill();
  readonly #end: SyncSide;

  constructor(side: SyncSide) {
    this.#end = side;
  }

  get count(): number {
    return this.#names.length;
  }

  add(name: string): void {
    this.#names.add([name]);
  }

  async plan({ outcomeReporter, signal }: DeleteDeps): Promise<void> {
    for await (const name of this.#all()) {
      if (signal.aborted) return;
      const subject = nameAt(this.#end, name);
      outcomeReporter.planned([subject], DELETE, `delete ${escapeForTerminal(subject)}`);
    }
  }

  async delete(deps: DeleteDeps): Promise<void> {
    const side = this.#end;
    if (side.kind === 'local') return this.#unlink(side.path, deps);
    const all = this.#all();
    const things = async function* () {
      for await (const name of all) yield { place: placeAt(side, name) };
    };
    await runBatches(things(), {
      ...deps,
      operation: ({ place }) => operations.delete(place.bucket, place.key),
      told: () => ({ facts: DELETE, text: undefined }),
      forgives: ({ code }) => code === 612,
    });
  }

  close(): void {
    this.#names.close();
  }

  async #unlink(folder: string, { outcomeReporter, signal }: DeleteDeps): Promise<void> {
    await runConcurrently(this.#all(), MAX_CONCURRENT_FILES, signal, async (name) => {
      const file = pathInFolder(folder, name);
      try {
        await unlink(file);
        outcomeReporter.done([file], DELETE);
        await removeEmpty(folder, path.dirname(name));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          outcomeReporter.skipped([file], 'does not exist');
        else outcomeReporter.failed([file], error);
      }
    });
  }

  async *#all(): AsyncGenerator<string> {
    for await (const [name = ''] of this.#names.lines()) yield name;
  }
}

/** Folders go with their last file; one that is not empty ends the way up. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== '.'; at = path.dirname(at)) {
    const isGone = await rmdir(path.join(root, at)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}
