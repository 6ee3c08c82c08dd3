/** The business server of the programs: answers callbacks, says what the last one was, and has a file to fetch. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let last = '{}';
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { url = '', headers } = request;
    response.setHeader('content-type', 'application/json');
    if (url === '/last') response.end(last);
    else if (url === '/file') response.end('a file to fetch');
    else {
      if (url.startsWith('/callback')) last = JSON.stringify({ url, headers, body });
      response.end('{"seen":true}');
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
