/** Events of objects: rules of a bucket, and deliveries of what they select. */
export { createObjectEvents, type ObjectEventsFeature } from './object-events.create.ts';
export type { ObjectEvents } from './object-events.service.ts';
export type { EventRule } from './rules.ts';
