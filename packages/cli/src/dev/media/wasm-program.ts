/**
 * ffmpeg and ffprobe in WebAssembly, with the arguments of the real ones: `node wasm-program.ts <core> ffmpeg|ffprobe …`. The core
 * sees only files in memory, so what the arguments name is put there beforehand, and what it makes is written to the working
 * directory. It runs under Node's permission model, without native code: nothing it decodes gets out of it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The part of its interface that is used here. */
interface Core {
  readonly FS: {
    mkdirTree(folder: string): void;
    chdir(folder: string): void;
    writeFile(file: string, bytes: Uint8Array): void;
    readFile(file: string): Uint8Array;
    readdir(folder: string): string[];
    isFile(mode: number): boolean;
    stat(file: string): { readonly mode: number };
  };
  setLogger(log: (line: { readonly type: string; readonly message: string }) => void): void;
  exec(...args: readonly string[]): number;
  ffprobe(...args: readonly string[]): number;
}

/** Sources and results are in memory together. */
const MAX_BYTES = 256 * 1024 * 1024;
/** How the core ends, whatever the outcome. */
const ENDING = 'Aborted()';

const [folder = '', program = '', ...given] = process.argv.slice(2);
// It looks for a browser's worker around it.
Object.assign(globalThis, { self: { location: { href: import.meta.url } } });
const create = createRequire(path.join(folder, 'x'))('./ffmpeg-core.js') as (options: {
  readonly wasmBinary: Uint8Array;
}) => Promise<Core>;
const core = await create({ wasmBinary: readFileSync(path.join(folder, 'ffmpeg-core.wasm')) });
let said = '';
core.setLogger(({ type, message }) => {
  if (message === ENDING) return;
  if (type === 'stdout') said += message;
  process[type === 'stdout' ? 'stdout' : 'stderr'].write(`${message}\n`);
});

// The same names inside: they are relative to the working directory.
const place = process.cwd();
core.FS.mkdirTree(place);
core.FS.chdir(place);
const before = new Set(putInputs());
process.exitCode = program === 'ffprobe' ? probe() : core.exec(...withoutTables(given));
takeOutputs();

/** It keeps its outcome to itself: of a file that it can't read it says nothing but brackets. */
function probe(): number {
  core.ffprobe(...given);
  return /[^{}\s]/.test(said) ? 0 : 1;
}

/** Whatever an argument names, and what lies beside it: lists and playlists name more. */
function putInputs(): string[] {
  const named = given.map((word) => path.resolve(place, word.replace(/^file:/, ''))).filter(isFile);
  const folders = new Set([place, ...named.map((file) => path.dirname(file))]);
  const files = [...folders]
    .flatMap((each) => readdirSync(each).map((name) => path.join(each, name)))
    .filter(isFile);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes > MAX_BYTES) {
    process.stderr.write('files of more than 256 MiB need a real ffmpeg: install one\n');
    process.exit(1);
  }
  for (const file of files) {
    core.FS.mkdirTree(path.dirname(file));
    core.FS.writeFile(file, readFileSync(file));
  }
  return files;
}

/** The tables that an encoder of JPEG makes for each picture need a sort that this build does not have. */
function withoutTables(args: readonly string[]): string[] {
  return args.flatMap((word, at) =>
    word === 'mjpeg' && args[at - 1] === '-c:v' ? [word, '-huffman', 'default'] : [word],
  );
}

function takeOutputs(): void {
  for (const name of core.FS.readdir(place)) {
    const file = path.join(place, name);
    if (before.has(file) || !core.FS.isFile(core.FS.stat(file).mode)) continue;
    writeFileSync(file, core.FS.readFile(file));
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
