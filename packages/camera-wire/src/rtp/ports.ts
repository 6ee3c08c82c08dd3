/** Ports of a range, each for one session at a time. Even ones, as RTP requires: the next odd one is RTCP's. */

export class MediaPorts {
  readonly #free: number[] = [];

  constructor(first: number, last: number) {
    for (let port = first + (first % 2); port <= last; port += 2) this.#free.push(port);
  }

  /** The port that has been free for longest: late packets of its earlier session have had time to stop. */
  acquire(): number | undefined {
    return this.#free.shift();
  }

  release(port: number): void {
    this.#free.push(port);
  }
}
