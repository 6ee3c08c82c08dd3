/** Live: namespaces, streams, recordings and snapshots, and the events that tell of them. */
export { createLive, type Live, type LiveFloors, type LiveOptions } from './create.ts';
