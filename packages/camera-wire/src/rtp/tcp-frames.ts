/** Extracts packets from a connection: each is preceded by its length in two bytes (RFC 4571). Holds at most one. */
import { HeldBytes } from '@millpond/base';

const LENGTH_BYTES = 2;

export class TcpFrames {
  readonly #held = new HeldBytes();

  /** The packets that are now complete. */
  add(chunk: Buffer): Buffer[] {
    this.#held.add(chunk);
    const whole: Buffer[] = [];
    for (;;) {
      const { bytes } = this.#held;
      const end = bytes.length < LENGTH_BYTES ? Number.NaN : LENGTH_BYTES + bytes.readUInt16BE(0);
      if (!(bytes.length >= end)) break;
      whole.push(bytes.subarray(LENGTH_BYTES, end));
      this.#held.drop(end);
    }
    this.#held.settle();
    return whole;
  }

  get heldBytes(): number {
    return this.#held.length;
  }
}
