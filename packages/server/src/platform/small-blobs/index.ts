/** Small blobs: bytes that are committed with their object, and packed later. */

export type { Body, BodyOptions, StoredBody } from './body.ts';
export {
  engineBodies,
  type ObjectBlobs,
  type OpenBody,
  type SmallBlobs,
  type SmallBlobsOptions,
  smallBlobs,
} from './small-blobs.ts';
export { SLOTS, SmallStore, takePacksTurn } from './small-store.ts';
