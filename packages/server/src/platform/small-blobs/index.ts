/** Small blobs: bytes that are committed with their object, and packed later. */

export type { BodyWriter, BodyWriterOptions, StoredBody } from './body-writer.ts';
export { lockPacks, SLOTS, SmallStore } from './small-blobs.store.ts';
export {
  engineBodyWriters,
  type ObjectBlobs,
  type OpenBodyWriter,
  type SmallBlobs,
  type SmallBlobsOptions,
  smallBlobs,
} from './small-blobs.ts';
