/** Live: namespaces, streams, recordings and snapshots, and their events. */

export { OUTDATED_ENGINE, openEngine } from './engines/index.ts';
export type { LiveEvents, LiveNews } from './events.ts';
export type { Namespaces } from './namespaces/namespaces.ts';
export type { Feed, Feeds } from './streams/feeds.ts';
export { createLive, type LiveFeature } from './streams.create.ts';
