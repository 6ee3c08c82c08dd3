/** Writes a brotli copy beside every built file that shrinks by it, so that no request pays for compressing. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

export async function compressFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = await readFile(file);
    const small = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    if (small.length < plain.length) await writeFile(`${file}.br`, small);
  }
}
