/** Live: namespaces, streams, recordings and snapshots, and the events that tell of them. */
export { createLive, type Live, type LiveFloors, type LiveOptions } from './create.ts';
export { OUTDATED_ENGINE, openEngine } from './engines/index.ts';
export type { LiveEvents, LiveNews } from './events.ts';
export type { Feed, Feeds } from './feeds.ts';
export { readChange, readNew, refused, text, type ValuesOf, whole, word } from './fields.ts';
export { LeaseStore } from './lease-store.ts';
export { type Lease, whileOwner } from './leases.ts';
export { type ListQuery, type Page, readListQuery } from './list-query.ts';
export { unixSeconds } from './namespace-fields.ts';
export { likePrefix } from './namespace-store.ts';
export type { Namespaces } from './namespaces.ts';
export { type ResourceRoute, resourceRoutes } from './resource-route.ts';
