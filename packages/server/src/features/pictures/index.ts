/** Pictures by URL: commands on download, styles of buckets, and results that are kept within a bound. */
export { createPictures, type PicturesFeature } from './create.ts';
export type { Pictures, Served } from './service.ts';
