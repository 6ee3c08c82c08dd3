/** Live: namespaces, streams, recordings and snapshots, and the events that tell of them. */
export { createLive, type Live, type LiveFloors, type LiveOptions } from './create.ts';
export { OUTDATED_ENGINE, openEngine } from './engines/index.ts';
export type { LiveEvents, LiveNews } from './events.ts';
export { readChange, readNew, refused, text, type ValuesOf, whole, word } from './fields.ts';
export { type ListQuery, type Page, readListQuery } from './list-query.ts';
export { unixSeconds } from './namespaces/namespace-fields.ts';
export { likePrefix } from './namespaces/namespace-store.ts';
export type { Namespaces } from './namespaces/namespaces.ts';
export { type ResourceRoute, resourceRoutes } from './resource-route.ts';
export type { Feed, Feeds } from './streams/feeds.ts';
export { LeaseStore } from './upkeep/lease-store.ts';
export { type Lease, whileOwner } from './upkeep/leases.ts';
