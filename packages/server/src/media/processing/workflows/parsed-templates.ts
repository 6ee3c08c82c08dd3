/**
 * Templates as upload triggers need them: each text is parsed once, and the cache is bounded. Keyed by the digest of the
 * text, so a changed template is a different entry.
 */
import { type Fop, MIB, parseFops } from '@millpond/protocol';

/** Of their texts. The parsed form takes a few times as much. */
const MOST_BYTES = 8 * MIB;

interface Held {
  readonly fops: readonly Fop[];
  readonly bytes: number;
}

export class ParsedTemplates {
  readonly #mostBytes: number;
  /** The most recently used is last. */
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  find(digest: string): readonly Fop[] | undefined {
    const held = this.#held.get(digest);
    if (held === undefined) return undefined;
    this.#held.delete(digest);
    this.#held.set(digest, held);
    return held.fops;
  }

  keep(digest: string, commands: string): readonly Fop[] {
    const known = this.find(digest);
    if (known !== undefined) return known;
    const held = { fops: parseFops(commands), bytes: Buffer.byteLength(commands) };
    this.#held.set(digest, held);
    this.#bytes += held.bytes;
    for (const [oldest, { bytes }] of this.#held) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#held.delete(oldest);
      this.#bytes -= bytes;
    }
    return held.fops;
  }
}
