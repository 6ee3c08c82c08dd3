/** Live: namespaces, streams, recordings and snapshots, and the events that tell of them. */
export { LiveEvents, type LiveNews } from './events.ts';
export { readChange, readNew, refused, text, type ValuesOf, whole, word } from './fields.ts';
export { type ListQuery, type Page, readListQuery } from './list-query.ts';
export { unixSeconds } from './namespace-fields.ts';
export { namespaceRoutes, templateRoutes } from './namespace-routes.ts';
export { likePrefix, NamespaceStore } from './namespace-store.ts';
export { Namespaces } from './namespaces.ts';
export { type ResourceRoute, resourceRoutes } from './resource-route.ts';
export { TemplateStore } from './template-store.ts';
export { Templates } from './templates.ts';
