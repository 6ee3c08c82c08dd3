/** Live: namespaces, streams, recordings and snapshots, and the events that tell of them. */
export { LiveEvents } from './events.ts';
export { namespaceRoutes, templateRoutes } from './namespace-routes.ts';
export { NamespaceStore } from './namespace-store.ts';
export { Namespaces } from './namespaces.ts';
export { resourceRoutes } from './resource-route.ts';
export { TemplateStore } from './template-store.ts';
export { Templates } from './templates.ts';
