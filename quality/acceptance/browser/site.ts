/**
 * A page for a browser: the client's own modules, with nothing done to them but that their types are taken out. What imports
 * Node can't be loaded so, and fails the test.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../../packages');

const PAGE = `<!doctype html>
<meta charset="utf-8">
<input type="file">
<script type="importmap">
{ "imports": { "@millpond/client": "/client/src/browser.ts", "@millpond/protocol": "/protocol/src/index.ts" } }
</script>
<script type="module">
import * as client from '@millpond/client';
window.client = client;
</script>`;

export interface Site {
  readonly url: string;
  /** Modules that were asked for. */
  readonly loaded: ReadonlySet<string>;
  close(): void;
}

export async function startSite(): Promise<Site> {
  const loaded = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      return;
    }
    const file = path.join(ROOT, path.normalize(pathname));
    if (!file.startsWith(ROOT) || !file.endsWith('.ts')) {
      response.writeHead(404).end();
      return;
    }
    readFile(file, 'utf8').then(
      (text) => {
        loaded.add(pathname);
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(text));
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, loaded, close: () => void server.close() };
}
