/**
 * Our requests that wait for their answer (RFC 3261, 17.1.2): over UDP resent until it comes, and given up after 32 s. An
 * answer counts only if it comes from where the request went.
 */
import { parameterOf } from './addresses.ts';
import type { SipResponse } from './message.ts';
import type { Peer } from './peer.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 4_000;
const GIVE_UP_MS = 64 * FIRST_WAIT_MS;

interface Waiting {
  readonly peer: Peer;
  readonly end: (status: number | undefined) => void;
  isSlow: boolean;
}

export class ClientTransactions {
  readonly #waiting = new Map<string, Waiting>();

  /** The status of the final answer; undefined: none came. `branch` identifies the transaction in the message's Via. */
  send(peer: Peer, bytes: Buffer, branch: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      let again: NodeJS.Timeout | undefined;
      let wait = FIRST_WAIT_MS;
      const end = (status: number | undefined) => {
        clearTimeout(again);
        clearTimeout(patience);
        this.#waiting.delete(branch);
        resolve(status);
      };
      const waiting: Waiting = { peer, end, isSlow: false };
      const patience = setTimeout(() => end(undefined), GIVE_UP_MS);
      const send = () => {
        peer.send(bytes);
        if (peer.transport !== 'udp') return;
        again = setTimeout(send, waiting.isSlow ? MAX_WAIT_MS : wait);
        wait = Math.min(2 * wait, MAX_WAIT_MS);
      };
      this.#waiting.set(branch, waiting);
      send();
    });
  }

  answered(response: SipResponse, from: Peer): void {
    const waiting = this.#waiting.get(parameterOf(response.via[0] ?? '', 'branch') ?? '');
    if (waiting === undefined || waiting.peer.address !== from.address) return;
    if (response.status < 200) waiting.isSlow = true;
    else waiting.end(response.status);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Nobody waits any more. */
  close(): void {
    for (const { end } of this.#waiting.values()) end(undefined);
  }
}
