/**
 * Where a running `millpond dev` takes requests: health for whoever waits for it, resets for tests, and stopping. On a
 * port, and for our own commands on a socket that only this user can reach.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type DevState = 'starting' | 'ready' | 'resetting' | 'stopping';

export interface DevStatus {
  readonly state: DevState;
  readonly pid: number;
  /** Where uploads and downloads are served. */
  readonly port: number;
  readonly data: string | null;
  /** The folder that it was started from. */
  readonly startedIn: string;
}

export interface ControlDeps {
  readonly status: () => DevStatus;
  readonly reset: () => Promise<void>;
  readonly stop: () => void;
}

export interface Control {
  close(): void;
}

export async function startControl(deps: ControlDeps, port: number, socket: string): Promise<Control> {
  const open = createServer((request, response) => {
    // A page in a browser could send requests here too, but it can't avoid saying so, or asking for another host.
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (request.headers.origin !== undefined || !['127.0.0.1', 'localhost'].includes(host))
      answer(response, 403, { error: 'not for browsers' });
    else handle(deps, request, response, false);
  });
  const own = createServer((request, response) => handle(deps, request, response, true));
  open.listen(port, '127.0.0.1');
  own.listen(socket);
  await Promise.all([once(open, 'listening'), once(own, 'listening')]);
  return { close: () => [open, own].forEach(end) };
}

function handle(
  { status, reset, stop }: ControlDeps,
  request: IncomingMessage,
  response: ServerResponse,
  isOwner: boolean,
): void {
  const call = `${request.method} ${request.url}`;
  if (call === 'GET /healthz') {
    answer(response, status().state === 'ready' ? 200 : 503, status());
  } else if (call === 'POST /reset') {
    const began = performance.now();
    reset().then(
      () => answer(response, 200, { ...status(), milliseconds: Math.round(performance.now() - began) }),
      (error: Error) => answer(response, 500, { error: error.message }),
    );
  } else if (call === 'POST /stop' && isOwner) {
    answer(response, 202, status());
    stop();
  } else {
    answer(response, 404, { error: 'there is GET /healthz and POST /reset' });
  }
}

function answer(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}
