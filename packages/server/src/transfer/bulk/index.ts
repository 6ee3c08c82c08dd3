/** Work on many objects at once: all under a prefix, or those that are named. */
export { createBulk } from './bulk.create.ts';
