/** What is known about an upload when all its bytes have arrived, by whichever way. */
import type { BlobId, Tier } from '@millpond/blobs';
import type { DigestedBody } from '../../storage/objects/index.ts';

export interface FinishedUpload {
  readonly way: 'form' | 'parts' | 'blocks';
  readonly blobId: BlobId;
  readonly segments: readonly { readonly id: BlobId; readonly size: number }[];
  /** Where they were written; absent if the policy's class decided it. */
  readonly tier?: Tier;
  readonly size: number;
  /** The bytes of a small blob: they are committed with the object. */
  readonly inline?: Buffer | undefined;
  readonly hash: string;
  /** The first bytes, for type detection. */
  readonly head: Uint8Array;
  /** Undefined: the client gave none, which is not the same as the empty key. */
  readonly key: string | undefined;
  readonly fileName: string | undefined;
  /** As the client sent it. */
  readonly mimeType: string | undefined;
  /** Keyed by full name, `x:name`. */
  readonly customVariables: Readonly<Record<string, string>>;
  /** Keyed by the name after the dialect's prefix. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Describes a file that came in one body and lies in one blob. */
export function wholeFile(
  { blobId, inline }: Pick<FinishedUpload, 'blobId' | 'inline'>,
  { size, hash, head }: DigestedBody,
): Pick<FinishedUpload, 'way' | 'blobId' | 'segments' | 'size' | 'inline' | 'hash' | 'head'> {
  return { way: 'form', blobId, segments: [{ id: blobId, size }], size, inline, hash, head };
}
