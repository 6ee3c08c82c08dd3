/** The building blocks of calls on resources (`/v1/…`): routes, fields of their JSON, and pages of lists. */

export { type ResourceCall, type ResourceRoute, resourceRoutes } from './resource-route.ts';
export {
  booleanField,
  integerField,
  invalidField,
  parseCreate,
  parsePatch,
  patternField,
  stringField,
  type ValuesOf,
} from './resources.fields.ts';
export { type ListQuery, type Page, readListQuery, readNumber } from './resources.list-query.ts';
