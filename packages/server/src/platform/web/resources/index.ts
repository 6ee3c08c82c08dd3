/** The building blocks of calls on resources (`/v1/…`): routes, fields of their JSON, and pages of lists. */
export { flag, readChange, readNew, refused, text, type ValuesOf, whole, word } from './fields.ts';
export { type ListQuery, type Page, readListQuery, readNumber } from './list-query.ts';
export { type ResourceCall, type ResourceRoute, resourceRoutes } from './resource-route.ts';
