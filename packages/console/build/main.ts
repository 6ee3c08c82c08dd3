/**
 * `node build/main.ts [FOLDER]`: builds the pages, with compressed copies, within their budget. The folder has all of them or
 * those of before: a server may be reading it, and two builds may run at once.
 */
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'vite';
import { keepBudget } from './budget.ts';

const compress = promisify(brotliCompress);
const ROOT = path.join(import.meta.dirname, '..');
const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));

// Whatever it is built by: another value, such as that of tests, would make pages for developers of it.
process.env.NODE_ENV = 'production';
let made: string | undefined;
try {
  made = await mkdtemp(`${target}.new-`);
  // Servers of other users read it too.
  await chmod(made, 0o755);
  await build({ root: ROOT, logLevel: 'warn', build: { outDir: made, emptyOutDir: true } });
  await compressFiles(made);
  await keepBudget(made);
  await rm(target, { recursive: true, force: true });
  await rename(made, target).catch((error: NodeJS.ErrnoException) => {
    // Another build of the same pages came first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (made !== undefined) await rm(made, { recursive: true, force: true });
}

/** Writes a brotli copy beside every built file that shrinks by it, so that no request pays for compressing. */
async function compressFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = await readFile(file);
    const small = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    if (small.length < plain.length) await writeFile(`${file}.br`, small);
  }
}
