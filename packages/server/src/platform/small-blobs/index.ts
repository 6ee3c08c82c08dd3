/** Small blobs: bytes that are committed with their object, and packed later. */

export type { Body, BodyOptions, StoredBody } from './small-blobs.body.ts';
export { SLOTS, SmallStore, takePacksTurn } from './small-blobs.store.ts';
export {
  engineBodies,
  type ObjectBlobs,
  type OpenBody,
  type SmallBlobs,
  type SmallBlobsOptions,
  smallBlobs,
} from './small-blobs.ts';
