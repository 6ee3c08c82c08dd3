/** The bench's side of the receiving process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Not the sender's own address: among a thousand ports one would be the sender's, and a sender never calls itself. */
export const RECEIVER_ADDRESS = '127.0.0.2';

export interface Arrival {
  readonly id: string;
  /** When the request's head arrived, in milliseconds since 1970, with fractions. */
  readonly at: number;
}

export type ReceiverOrder =
  | { readonly kind: 'listen'; readonly count: number; readonly hangs: boolean }
  | { readonly kind: 'record' }
  | { readonly kind: 'report' };

export type ReceiverMessage =
  | { readonly kind: 'ports'; readonly ports: readonly number[] }
  | { readonly kind: 'count'; readonly count: number; readonly at: number }
  | { readonly kind: 'arrivals'; readonly arrivals: readonly Arrival[] };

export interface Receiver {
  /** Requests answered so far. */
  readonly count: number;
  listen(count: number, hangs?: boolean): Promise<string[]>;
  record(): void;
  /** What has arrived since `record`. */
  arrivals(): Promise<readonly Arrival[]>;
  stop(): Promise<void>;
}

export function startReceiver(): Receiver {
  const child = fork(path.join(import.meta.dirname, 'receiver-process.ts'));
  let count = 0;
  const waiting = new Map<string, (message: ReceiverMessage) => void>();
  child.on('message', (message: ReceiverMessage) => {
    if (message.kind === 'count') count = message.count;
    else waiting.get(message.kind)?.(message);
  });
  const answer = (kind: ReceiverMessage['kind'], order: ReceiverOrder) =>
    new Promise<ReceiverMessage>((resolve) => {
      waiting.set(kind, resolve);
      child.send(order);
    });
  return {
    get count() {
      return count;
    },
    async listen(many, hangs = false) {
      const message = await answer('ports', { kind: 'listen', count: many, hangs });
      const ports = message.kind === 'ports' ? message.ports : [];
      return ports.map((port) => `http://${RECEIVER_ADDRESS}:${port}`);
    },
    record: () => child.send({ kind: 'record' } satisfies ReceiverOrder),
    async arrivals() {
      const message = await answer('arrivals', { kind: 'report' });
      return message.kind === 'arrivals' ? message.arrivals : [];
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
