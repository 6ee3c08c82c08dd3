/** Images by URL: commands on download, styles of buckets, and a bounded cache of results. */
export { createImages, type ImagesFeature } from './images.create.ts';
export type { ImageRequest, ImageResponse, Images } from './images.service.ts';
