/**
 * What one session accepts: packets from the expected address, with the agreed SSRC and payload type, in order. Nothing until
 * there is an agreement. Everything else is counted and dropped.
 */
import { parseRtp } from './packet.ts';
import { Reorder } from './reorder.ts';

export interface NegotiatedSource {
  /** The sender must have one of these addresses. */
  readonly addresses: readonly string[];
  /** Where it said that it would send from. Behind NAT that is not where its packets come from. */
  readonly announced: Source;
  readonly ssrc: number;
  readonly payloadType: number;
}

export interface Source {
  readonly address: string;
  readonly port: number;
}

export interface IntakeCounts {
  readonly packets: number;
  readonly lost: number;
  readonly late: number;
  /** From elsewhere, of another session, or not RTP. */
  readonly foreign: number;
}

/** About 200 ms of good video. */
const REORDER = { most: 128, patienceMs: 300 };

/** A sender that is silent for this long may be another from then on: whoever guessed a number does not keep the camera out. */
const QUIET_MS = 2000;

export class RtpFilter {
  readonly #onPayload: (payload: Buffer) => void;
  readonly #reorder = new Reorder(REORDER);
  #agreement: NegotiatedSource | undefined;
  /** A session has one sender. */
  #sender: Source | undefined;
  /** When it last sent something. */
  #heardAt = 0;
  #packets = 0;
  #foreign = 0;

  constructor(onPayload: (payload: Buffer) => void) {
    this.#onPayload = onPayload;
  }

  expect(negotiatedSource: NegotiatedSource): void {
    this.#agreement = negotiatedSource;
  }

  get agreement(): NegotiatedSource | undefined {
    return this.#agreement;
  }

  get counts(): IntakeCounts {
    return { packets: this.#packets, foreign: this.#foreign, ...this.#reorder.counts };
  }

  /** Whether it was accepted. The bytes belong to the receiver, and are kept. */
  take(bytes: Buffer, from: Source): boolean {
    const negotiatedSource = this.#agreement;
    const packet = negotiatedSource?.addresses.includes(from.address) ? parseRtp(bytes) : undefined;
    const now = performance.now();
    if (
      negotiatedSource === undefined ||
      packet?.ssrc !== negotiatedSource.ssrc ||
      packet.payloadType !== negotiatedSource.payloadType ||
      !this.#isSender(from, negotiatedSource, now)
    ) {
      this.#foreign += 1;
      return false;
    }
    this.#heardAt = now;
    this.#packets += 1;
    for (const payload of this.#reorder.add(packet.sequence, detached(packet.payload), now))
      this.#onPayload(payload);
    return true;
  }

  /** The first to send, unless it is silent, or the one that was announced sends. */
  #isSender(from: Source, { announced }: NegotiatedSource, now: number): boolean {
    const sender = this.#sender;
    if (sender !== undefined && isSame(from, sender)) return true;
    if (sender !== undefined && !isSame(from, announced) && now - this.#heardAt < QUIET_MS) return false;
    if (sender !== undefined) this.#reorder.restart();
    this.#sender = from;
    return true;
  }
}

function isSame(one: Source, other: Source): boolean {
  return one.address === other.address && one.port === other.port;
}

/** A small payload must not keep the large chunk that it came in. */
function detached(payload: Buffer): Buffer {
  if (payload.buffer.byteLength <= 2 * payload.length) return payload;
  const own = Buffer.allocUnsafeSlow(payload.length);
  own.set(payload);
  return own;
}
