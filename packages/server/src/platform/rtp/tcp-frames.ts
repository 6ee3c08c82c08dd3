/** Packets out of a connection: each with its length in two bytes before it (RFC 4571). Holds at most one. */

const LENGTH_BYTES = 2;

export class TcpFrames {
  #held = Buffer.alloc(0);

  /** Those that are whole now. */
  add(chunk: Buffer): Buffer[] {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const whole: Buffer[] = [];
    let at = 0;
    while (bytes.length >= at + LENGTH_BYTES) {
      const end = at + LENGTH_BYTES + bytes.readUInt16BE(at);
      if (bytes.length < end) break;
      whole.push(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    // A copy: what is held must not keep a whole chunk of the socket's alive.
    this.#held = Buffer.from(bytes.subarray(at));
    return whole;
  }

  get heldBytes(): number {
    return this.#held.length;
  }
}
