/**
 * Archives whose bytes follow from the names and contents of files alone: nobody's, of one time, with one of two modes, in the order of their names.
 * Whoever made the files, and where, is not in them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface TarFile {
  readonly name: string;
  /** A file, or what is in it. */
  readonly from: string | Buffer;
  readonly isProgram?: boolean;
}

const BLOCK = 512;
/** Maximum length of a name without its folders, and of these. */
const [LONGEST_NAME, LONGEST_PREFIX] = [100, 155];
/** Those that whoever starts a file may. */
const EXECUTABLE = 0o111;

export async function writeTar(files: readonly TarFile[], target: string, epoch: number): Promise<void> {
  await pipeline(Readable.from(tar(files, epoch)), createWriteStream(target));
}

/** By the program gzip: the compression in Node differs with the processor. */
export async function writeTarGz(files: readonly TarFile[], target: string, epoch: number): Promise<void> {
  const gzip = spawn('gzip', ['-n9'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(gzip, 'close') as Promise<[number | null]>;
  await Promise.all([
    pipeline(Readable.from(tar(files, epoch)), gzip.stdin),
    pipeline(gzip.stdout, createWriteStream(target)),
  ]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`gzip ended with ${code}`);
}

/** All files below a folder, under `prefix`. */
export async function filesOf(folder: string, prefix: string): Promise<TarFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (from) => ({
      name: path.posix.join(prefix, path.relative(folder, from)),
      from,
      isProgram: ((await stat(from)).mode & EXECUTABLE) !== 0,
    })),
  );
}

async function* tar(files: readonly TarFile[], epoch: number): AsyncGenerator<Buffer> {
  for (const { name, from, isProgram = false } of files.toSorted(byName)) {
    const size = typeof from === 'string' ? (await stat(from)).size : from.length;
    yield header(name, size, isProgram ? 0o755 : 0o644, epoch);
    if (typeof from === 'string') yield* createReadStream(from) as AsyncIterable<Buffer>;
    else yield from;
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Not by a language's rules. */
function byName({ name: one }: TarFile, { name: other }: TarFile): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** As POSIX has it (ustar). */
function header(name: string, size: number, mode: number, epoch: number): Buffer {
  const [prefix, last] = split(name);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at);
  block.write(last, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(epoch, 136, 12);
  block.write('        0', 148);
  block.write('ustar\u000000', 257);
  block.write(prefix, 345);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

function split(name: string): readonly [string, string] {
  const bytes = Buffer.byteLength(name);
  if (bytes <= LONGEST_NAME) return ['', name];
  const at = name.indexOf('/', bytes - LONGEST_NAME - 1);
  if (at < 0 || at > LONGEST_PREFIX || bytes !== name.length)
    throw new Error(`${name} is too long for an archive`);
  return [name.slice(0, at), name.slice(at + 1)];
}
