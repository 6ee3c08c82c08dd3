/**
 * The files of the console's pages, read once when the server starts: nothing that a request says leads to the disk. A file may
 * have a copy in brotli beside it, made when the pages were built.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export interface ApplicationFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly brotli?: Buffer | undefined;
}

/** By the path of their URLs: `/index.html`, `/assets/main-4f2a.js`. */
export type ApplicationFiles = ReadonlyMap<string, ApplicationFile>;

export const PAGE = '/index.html';

/** Folder in a working copy, and in the published package. */
const FOLDERS = ['../../../../console/dist', '../../../console'].map((folder) =>
  path.join(import.meta.dirname, folder),
);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const BROTLI = '.br';

/** None if the pages were not built. */
export async function readApplication(folders: readonly string[] = FOLDERS): Promise<ApplicationFiles> {
  for (const folder of folders) {
    const found = await readFolder(folder);
    if (found.has(PAGE)) return found;
  }
  return new Map();
}

async function readFolder(folder: string): Promise<ApplicationFiles> {
  const bytes = new Map<string, Buffer>();
  for (const file of await namesIn(folder))
    bytes.set(`/${file.split(path.sep).join('/')}`, await readFile(path.join(folder, file)));
  const files = new Map<string, ApplicationFile>();
  for (const [name, plain] of bytes) {
    const type = TYPES[path.extname(name)];
    // What has no type here is of no use to a browser: source maps, and the copies in brotli themselves.
    if (type === undefined) continue;
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
    files.set(name, { type, etag, plain, brotli: bytes.get(`${name}${BROTLI}`) });
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
