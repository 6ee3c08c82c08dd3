/** Stands between clients and the server, and records every request with its answer; may stop letting requests through. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { target } from '../target.ts';

export interface RecordedExchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Bytes of the request's body that arrived. */
  readonly bytes: number;
}

export interface RecordingProxy {
  readonly url: string;
  /** Requests that were answered, in the order of their ends. */
  readonly ended: readonly RecordedExchange[];
  /** Holds every request back of which this is true, from now on. */
  hold(isHeld: (request: { method: string; target: string }) => boolean): void;
  /** Targets of those that are held back now. */
  held(): readonly string[];
  /** Lets so many bytes of the answers to these targets through, and then none. */
  holdAnswers(isHeld: (target: string) => boolean, bytes: number): void;
  /** Lets everything through again; what was held back is gone, as its client is. */
  release(): void;
  /** Resolves when the server has answered all that reached it. */
  quiet(): Promise<void>;
}

export async function startRecordingProxy(url = target.url): Promise<RecordingProxy> {
  const ended: RecordedExchange[] = [];
  const underWay = new Set<Promise<void>>();
  const waiting = new Map<ServerResponse, string>();
  let isHeld: Parameters<RecordingProxy['hold']>[0] = () => false;
  let isAnswerHeld: (target: string) => boolean = () => false;
  let maxResponseBytes = Number.POSITIVE_INFINITY;
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    const onwards = request(url, { method, path, headers });
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    incoming.pipe(onwards);
    incoming.on('error', () => onwards.destroy());
    incoming.on('close', () => incoming.complete || onwards.destroy());
    const [answer] = (await once(onwards, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    let left = isAnswerHeld(path) ? maxResponseBytes : Number.POSITIVE_INFINITY;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      response.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) continue;
      waiting.set(response, path);
      await once(response, 'close');
      return;
    }
    response.end();
    ended.push({ method, target: path, status: answer.statusCode ?? 0, bytes });
  };
  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    if (isHeld({ method: incoming.method ?? '', target: incoming.url ?? '' })) {
      waiting.set(response, incoming.url ?? '');
      return;
    }
    const work: Promise<void> = forward(incoming, response)
      .catch(() => void response.destroy())
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    ended,
    hold: (rule) => {
      isHeld = rule;
    },
    held: () => [...waiting.values()],
    holdAnswers: (rule, bytes) => {
      isAnswerHeld = rule;
      maxResponseBytes = bytes;
    },
    release: () => {
      isHeld = () => false;
      isAnswerHeld = () => false;
      for (const response of waiting.keys()) response.destroy();
      waiting.clear();
    },
    quiet: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
