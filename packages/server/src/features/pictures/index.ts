/** Pictures by URL: commands on download, styles of buckets, and a bounded cache of results. */
export { createPictures, type PicturesFeature } from './create.ts';
export type { Pictures, Served } from './service.ts';
