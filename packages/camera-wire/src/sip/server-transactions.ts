/**
 * Answered requests, for as long as they may be repeated (RFC 3261, 17.2.2): the same answer, and no second effect. Bounded in
 * number and bytes; a request forgotten early is merely handled again.
 */
import { hash } from 'node:crypto';
import { parameterOf } from './addresses.ts';
import type { SipRequest } from './message.ts';
import type { Peer } from './peer.ts';

const RETRANSMISSION_WINDOW_MS = 32_000;
const MAX_TRANSACTIONS = 20_000;
const MAX_BYTES = 16 * 2 ** 20;

interface Transaction {
  readonly begunAt: number;
  answer: Buffer | undefined;
}

/** SHA-1 key shared by a request and its retransmissions. */
export function transactionKey({ via, callId, cseq }: SipRequest, { address, port }: Peer): string {
  const branch = parameterOf(via[0] ?? '', 'branch') ?? '';
  return hash('sha1', [branch, callId, cseq.number, cseq.method, address, port].join('\n'), 'base64');
}

export class ServerTransactions {
  readonly #now: () => number;
  /** In order of arrival. */
  readonly #known = new Map<string, Transaction>();
  #bytes = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `new`: the caller handles it. `pending`: it is being handled. Otherwise the answer that it got. */
  begin(key: string): 'new' | 'pending' | Buffer {
    const known = this.cachedResponse(key);
    if (known !== undefined) return known;
    const now = this.#now();
    this.forget(key);
    this.#known.set(key, { begunAt: now, answer: undefined });
    this.#makeRoom(now);
    return 'new';
  }

  /** What `begin` would return, without beginning anything; undefined: it is new. */
  cachedResponse(key: string): 'pending' | Buffer | undefined {
    const known = this.#known.get(key);
    if (known === undefined || this.#now() - known.begunAt >= RETRANSMISSION_WINDOW_MS) return undefined;
    return known.answer ?? 'pending';
  }

  cacheResponse(key: string, answer: Buffer): void {
    const known = this.#known.get(key);
    if (known === undefined || known.answer !== undefined) return;
    known.answer = answer;
    this.#bytes += answer.length;
    this.#makeRoom(this.#now());
  }

  forget(key: string): void {
    this.#bytes -= this.#known.get(key)?.answer?.length ?? 0;
    this.#known.delete(key);
  }

  get size(): number {
    return this.#known.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  #makeRoom(now: number): void {
    for (const [oldest, { begunAt }] of this.#known) {
      const isNeeded = now - begunAt < RETRANSMISSION_WINDOW_MS;
      if (isNeeded && this.#known.size <= MAX_TRANSACTIONS && this.#bytes <= MAX_BYTES) break;
      this.forget(oldest);
    }
  }
}
