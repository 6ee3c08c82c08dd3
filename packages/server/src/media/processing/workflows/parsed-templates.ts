/**
 * Templates as upload triggers need them: each text is parsed once, and the cache is bounded. Keyed by the digest of the
 * text, so a changed template is a different entry.
 */
import { type Fop, MIB, parseFops } from '@millpond/protocol';

/** Maximum bytes of their texts. The parsed form takes a few times as much. */
const MAX_BYTES = 8 * MIB;

interface CachedTemplate {
  readonly fops: readonly Fop[];
  readonly bytes: number;
}

export class ParsedTemplates {
  readonly #mostBytes: number;
  /** The most recently used is last. */
  readonly #held = new Map<string, CachedTemplate>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#mostBytes = maxBytes;
  }

  find(digest: string): readonly Fop[] | undefined {
    const cachedTemplate = this.#held.get(digest);
    if (cachedTemplate === undefined) return undefined;
    this.#held.delete(digest);
    this.#held.set(digest, cachedTemplate);
    return cachedTemplate.fops;
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
