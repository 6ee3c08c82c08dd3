/**
 * What one session accepts: packets from the expected address, with the agreed SSRC and payload type, in order. Nothing until
 * there is an agreement. Everything else is counted and dropped.
 */
import { parseRtp } from './packet.ts';
import { Reorder } from './reorder.ts';

export interface Agreement {
  /** The sender must have one of these addresses. */
  readonly addresses: readonly string[];
  readonly ssrc: number;
  readonly payloadType: number;
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

export class Intake {
  readonly #onPayload: (payload: Buffer) => void;
  readonly #reorder = new Reorder(REORDER);
  #agreement: Agreement | undefined;
  /** Where the first packet came from: a session has one sender. */
  #source: string | undefined;
  #packets = 0;
  #foreign = 0;

  constructor(onPayload: (payload: Buffer) => void) {
    this.#onPayload = onPayload;
  }

  expect(agreement: Agreement): void {
    this.#agreement = agreement;
  }

  get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  get counts(): IntakeCounts {
    return { packets: this.#packets, foreign: this.#foreign, ...this.#reorder.counts };
  }

  /** The bytes belong to the receiver, and are kept. */
  take(bytes: Buffer, address: string, port: number): void {
    const source = `${address} ${port}`;
    const packet = this.#agreement?.addresses.includes(address) ? parseRtp(bytes) : undefined;
    if (
      packet === undefined ||
      packet.ssrc !== this.#agreement?.ssrc ||
      packet.payloadType !== this.#agreement.payloadType ||
      source !== (this.#source ?? source)
    ) {
      this.#foreign += 1;
      return;
    }
    this.#source = source;
    this.#packets += 1;
    for (const payload of this.#reorder.add(packet.sequence, packet.payload, performance.now()))
      this.#onPayload(payload);
  }
}
