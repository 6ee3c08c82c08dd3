/** Live: namespaces, streams, recordings and snapshots, and their events. */

export { OUTDATED_ENGINE, openEngine } from './engines/index.ts';
export type { LiveEventInput, LiveEvents } from './events.ts';
export type { Namespaces } from './namespaces/namespaces.ts';
export type { Feeds, InternalPublish } from './streams/internal-publish.ts';
export { createLive, type LiveFeature } from './streams.create.ts';
