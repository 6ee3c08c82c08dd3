/** The receiver of what uploads cause: callbacks, which it answers with what they say, and notifications of tasks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** For servers that tell it: on this machine, soon, and with tasks to tell of. */
export const TELLING_SETTINGS = {
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_TIME_FACTOR: '20',
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_MEDIA_SLOTS: '2',
};

export interface CallbackReceiver {
  readonly callbackUrl: string;
  readonly taskUrl: string;
  /** The keys of callbacks. */
  readonly calledKeys: Set<string>;
  /** The ids of tasks that have ended, each with its code. */
  readonly tasks: Map<string, number>;
  close(): Promise<void>;
}

/** Upload policy with a callback; the receiver echoes its input. */
export function callbackPolicy({
  callbackUrl,
}: Pick<CallbackReceiver, 'callbackUrl'>): Record<string, string> {
  return {
    callbackUrl,
    callbackBody: '{"hash":$(etag),"key":$(key)}',
    callbackBodyType: 'application/json',
  };
}

/** Describes what was acknowledged, and not yet reported. */
export function untold(
  { tasks, called }: { readonly tasks: readonly string[]; readonly called: readonly string[] },
  told: Pick<CallbackReceiver, 'tasks' | 'calledKeys'>,
): string[] {
  return [
    ...tasks.filter((id) => !told.tasks.has(id)).map((id) => `the end of task ${id} was never told`),
    ...called.filter((key) => !told.calledKeys.has(key)).map((key) => `no callback of ${key}`),
  ];
}

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const calledKeys = new Set<string>();
  const tasks = new Map<string, number>();
  const server = createServer((request, response) => {
    const answer = async () => {
      const text = (await buffer(request)).toString();
      const body = JSON.parse(text) as { key?: string; id?: string; code?: number };
      if (request.url === '/task') tasks.set(String(body.id), Number(body.code));
      else calledKeys.add(String(body.key));
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    answer().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    callbackUrl: `${url}/callback`,
    taskUrl: `${url}/task`,
    calledKeys,
    tasks,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
