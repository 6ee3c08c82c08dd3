/** The built site as a plain static server has it: files, and nothing else. Under the path that it was built for. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

export interface ServedSite {
  /** Begins and ends with a slash. */
  readonly base: string;
  /** With the base, without its last slash. */
  readonly url: string;
  close(): void;
}

export async function serveSite(folder: string): Promise<ServedSite> {
  const first = await readFile(path.join(folder, 'index.html'), 'utf8');
  const base = /href="(\/[^"]*?)assets\//.exec(first)?.[1] ?? '/';
  const server = createServer((request, response) => {
    const asked = path.posix.normalize(
      decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname),
    );
    const file = asked.startsWith(base)
      ? asked.slice(base.length).replace(/^$|(?<=\/)$/, 'index.html')
      : undefined;
    const found = file === undefined ? Promise.reject(new Error(asked)) : readFile(path.join(folder, file));
    found.then(
      (bytes) =>
        response
          .setHeader('content-type', TYPES[path.extname(file ?? '')] ?? 'application/octet-stream')
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { base, url: `http://127.0.0.1:${port}${base.slice(0, -1)}`, close: () => server.close() };
}
