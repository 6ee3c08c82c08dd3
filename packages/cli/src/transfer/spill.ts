/** Lines that would be too many for memory: in an unlinked file, so that nothing is left of it however the process ends. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { formatFields, parseFields } from './tsv.ts';

const HELD_CHARACTERS = 64 * 1024;

export class Spill {
  #handle: number | undefined;
  #held = '';
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(fields: readonly string[]): void {
    this.#length++;
    this.#held += formatFields(fields);
    if (this.#held.length >= HELD_CHARACTERS) this.#write();
  }

  /** From the first on, as often as they are asked for. Nothing may be added afterwards. */
  async *lines(): AsyncGenerator<string[]> {
    this.#write();
    if (this.#handle === undefined) return;
    const input = createReadStream('', { fd: this.#handle, start: 0, autoClose: false });
    for await (const line of createInterface({ input })) yield parseFields(line);
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #write(): void {
    if (this.#held === '') return;
    this.#handle ??= openNameless();
    writeSync(this.#handle, this.#held);
    this.#held = '';
  }
}

/** What is read twice may come from a pipe, which can't be. */
export async function spilled(rows: AsyncIterable<readonly string[]>): Promise<Spill> {
  const spill = new Spill();
  for await (const row of rows) spill.add(row);
  return spill;
}

function openNameless(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-'));
  try {
    return openSync(path.join(folder, 'lines'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
