/**
 * The hash functions this package needs, supplied by the caller: Node's come from node:crypto, a browser's from a
 * library. They are synchronous because every uploaded byte passes through them, chunk by chunk.
 */

/**
 * What is signed, in pieces, so that a body is never copied behind its head. A string is a byte string: one byte per
 * character, U+0000 to U+00FF, which is how an HTTP head arrives. Reading it as UTF-8 would sign other bytes than
 * those received.
 */
export type HashInput = Uint8Array | string;

/** Text is ASCII, as our secret keys are. */
export type SecretKey = string | Uint8Array;

/** Node's own Hash object is one. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  digest(): Uint8Array;
}

export interface Hashing {
  sha1(): Hasher;
  /** For bytes that are all in memory: Node has a faster call for that. */
  sha1Of(bytes: Uint8Array): Uint8Array;
  hmacSha1(secretKey: SecretKey, inputs: readonly HashInput[]): Uint8Array;
  /** Only for webhooks. */
  hmacSha256(secretKey: SecretKey, inputs: readonly HashInput[]): Uint8Array;
}

/** All that etags need. */
export type ContentHashing = Pick<Hashing, 'sha1' | 'sha1Of'>;
