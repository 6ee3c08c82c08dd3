/** What only the target has: noted while the lists are read, and deleted once all lists are read and everything else is done. */
import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '@millpond/client/server';
import { runBatches } from '../object-command.ts';
import { shown } from '../remote/text.ts';
import { runLanes } from '../transfer/lanes.ts';
import { pathInFolder } from '../transfer/local-files.ts';
import type { Outcomes } from '../transfer/outcome.ts';
import { Spill } from '../transfer/spill.ts';
import { type End, nameAt, placeAt } from './ends.ts';

const FILES_AT_A_TIME = 8;
const DELETE = { action: 'delete' };

export interface DeleteDeps {
  readonly outcomes: Outcomes;
  readonly signal: AbortSignal;
}

export class Extras {
  readonly #names = new Spill();
  readonly #end: End;

  constructor(end: End) {
    this.#end = end;
  }

  get count(): number {
    return this.#names.length;
  }

  add(name: string): void {
    this.#names.add([name]);
  }

  async plan({ outcomes, signal }: DeleteDeps): Promise<void> {
    for await (const name of this.#all()) {
      if (signal.aborted) return;
      const subject = nameAt(this.#end, name);
      outcomes.planned([subject], DELETE, `delete ${shown(subject)}`);
    }
  }

  async delete(deps: DeleteDeps): Promise<void> {
    const end = this.#end;
    if (end.kind === 'local') return this.#unlink(end.path, deps);
    const all = this.#all();
    const things = async function* () {
      for await (const name of all) yield { place: placeAt(end, name) };
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

  async #unlink(folder: string, { outcomes, signal }: DeleteDeps): Promise<void> {
    await runLanes(this.#all(), FILES_AT_A_TIME, signal, async (name) => {
      const file = pathInFolder(folder, name);
      try {
        await unlink(file);
        outcomes.done([file], DELETE);
        await removeEmpty(folder, path.dirname(name));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          outcomes.skipped([file], 'does not exist');
        else outcomes.failed([file], error);
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
