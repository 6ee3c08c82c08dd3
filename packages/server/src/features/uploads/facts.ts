/** What is known of an upload when all its bytes are there, whichever way they came. */
import type { BlobId, Tier } from '../../platform/blobs/index.ts';

export interface UploadFacts {
  readonly way: 'form' | 'multipart';
  readonly blobId: BlobId;
  readonly segments: readonly { readonly id: BlobId; readonly size: number }[];
  /** Where they were written; absent where the class of the policy said it. */
  readonly tier?: Tier;
  readonly size: number;
  readonly hash: string;
  /** The first bytes, for the detection of the type. */
  readonly head: Uint8Array;
  /** Undefined: the client named none, which is not the same as the empty key. */
  readonly key: string | undefined;
  readonly fileName: string | undefined;
  /** As the client sent it. */
  readonly mimeType: string | undefined;
  /** By their whole name, `x:name`. */
  readonly customVariables: Readonly<Record<string, string>>;
  /** By their name after the dialect's prefix. */
  readonly metadata: Readonly<Record<string, string>>;
}
