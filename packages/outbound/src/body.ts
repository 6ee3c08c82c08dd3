/**
 * The body of an answer on its way from undici to its reader. Little is buffered: a slow reader holds back the sender. A body
 * that breaks off throws at the reader; it never just ends.
 */
import type { OutboundError } from './faults.ts';

export interface OutboundBody extends AsyncIterable<Uint8Array> {
  /** The Content-Length, if given. */
  readonly length: number | undefined;
  /** Ends the transfer; harmless once everything has arrived. A body that is neither read nor cancelled ends at the deadline. */
  cancel(): void;
}

/** The sending side, as the body sees it. */
interface Flow {
  resume(): void;
  cancel(): void;
}

const HIGH_WATER = 256 * 1024;
/** The cost of a chunk besides its bytes: bodies sent byte by byte must not fill the memory with small objects. */
const CHUNK_WEIGHT = 256;
/** Small waiting chunks are joined up to this size. */
const JOIN_BELOW = 64 * 1024;

export class IncomingBody implements OutboundBody {
  readonly length: number | undefined;
  readonly #flow: Flow;
  #waiting: Buffer[] = [];
  #weight = 0;
  #held = false;
  #ended = false;
  #failure: OutboundError | undefined;
  #wake: (() => void) | undefined;

  constructor(length: number | undefined, flow: Flow) {
    this.length = length;
    this.#flow = flow;
  }

  /** false: send nothing more until `resume`. */
  push(chunk: Buffer): boolean {
    this.#waiting.push(chunk);
    this.#weight += chunk.length + CHUNK_WEIGHT;
    this.#held ||= this.#weight >= HIGH_WATER;
    this.#wake?.();
    return !this.#held;
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(fault: OutboundError): void {
    this.#failure = fault;
    this.#waiting = [];
    this.#wake?.();
  }

  cancel(): void {
    this.#flow.cancel();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure;
        const chunk = this.#take();
        if (chunk !== undefined) yield chunk;
        else if (this.#ended) return;
        else await this.#change();
      }
    } finally {
      this.cancel();
    }
  }

  #take(): Buffer | undefined {
    let bytes = 0;
    let count = 0;
    for (const chunk of this.#waiting) {
      if (count > 0 && bytes + chunk.length > JOIN_BELOW) break;
      bytes += chunk.length;
      count += 1;
    }
    const taken = this.#waiting.splice(0, count);
    this.#weight -= bytes + count * CHUNK_WEIGHT;
    if (this.#held && this.#weight < HIGH_WATER / 2) {
      this.#held = false;
      this.#flow.resume();
    }
    return taken.length > 1 ? Buffer.concat(taken, bytes) : taken[0];
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** The whole body; the sending side has bounded its size. Its stated length is not trusted. */
export async function collect(body: OutboundBody): Promise<Buffer> {
  let bytes = Buffer.allocUnsafe(Math.min(body.length ?? 4096, JOIN_BELOW));
  let size = 0;
  for await (const chunk of body) {
    if (size + chunk.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, size + chunk.length));
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}
