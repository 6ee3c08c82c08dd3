/**
 * What one session takes in: packets from where they are to come, with the number and the kind that were agreed on, in
 * order. Until there is an agreement, nothing. All else is counted and dropped.
 */
import { parseRtp } from './packet.ts';
import { Reorder } from './reorder.ts';

export interface Agreement {
  /** Whoever sends must have one of these addresses. */
  readonly addresses: readonly string[];
  readonly ssrc: number;
  readonly payloadType: number;
}

export interface IntakeCounts {
  readonly packets: number;
  readonly lost: number;
  readonly late: number;
  /** From elsewhere, of another session, or no RTP. */
  readonly foreign: number;
}

/** Some 200 ms of a good picture. */
const REORDER = { most: 128, patienceMs: 300 };

export class Intake {
  readonly #onPayload: (payload: Buffer) => void;
  readonly #reorder = new Reorder(REORDER);
  #agreement: Agreement | undefined;
  /** From where the first packet came: a session has one sender. */
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

  /** The bytes are the receiver's own, and kept. */
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
