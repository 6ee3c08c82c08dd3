/** Events of objects: rules of a bucket, and deliveries of what they select. */
export { createObjectEvents, type ObjectEventsFeature } from './create.ts';
export type { EventRule } from './rules.ts';
export type { ObjectEvents } from './service.ts';
