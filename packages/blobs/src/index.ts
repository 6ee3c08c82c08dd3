/** Blobs: immutable bytes under new ids, in an S3 engine or on a local disk. */

export {
  type BlobId,
  blobTime,
  hourAt,
  isSmallBlob,
  newBlobId,
  newSmallBlobId,
  parseBlobId,
  slotOfBlob,
} from './blob-id.ts';
export { createWriteBudget, type WriteBudget } from './budget.ts';
export { type ContentSource, headOf, type MediaSource, readBytes } from './content-source.ts';
export { writerSink } from './copy.ts';
export { createDiskBlobStore, type DiskBlobOptions } from './disk/store.ts';
export {
  BlobCorruptError,
  BlobNotFoundError,
  BlobStoreUnavailableError,
  BlobTooLargeError,
} from './errors.ts';
export type { S3BlobOptions, S3Limits } from './s3/options.ts';
export { createS3BlobStore } from './s3/store.ts';
export { readSegments } from './segments.ts';
export type {
  BlobEntry,
  BlobSink,
  BlobStat,
  BlobStore,
  BlobWriter,
  ByteRange,
  ListOptions,
  PackLocation,
  PresignOptions,
  Tier,
  WriteOptions,
  WriterOptions,
} from './store.ts';
export { engineTimer, measuredBlobs } from './timed-store.ts';
