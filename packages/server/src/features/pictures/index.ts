/** Pictures by URL: commands on download, styles of buckets, and results that are kept within a bound. */
export { createPictures, type PicturesOfServer } from './create.ts';
export type { Eviction } from './eviction.ts';
export type { Pictures, Served } from './service.ts';
export { StyleStore } from './style-store.ts';
export { readStyles } from './styles.ts';
