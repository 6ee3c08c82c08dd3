/** Images by URL: commands on download, styles of buckets, and a bounded cache of results. */
export { createImages, type ImagesFeature } from './create.ts';
export type { Images, Served } from './service.ts';
