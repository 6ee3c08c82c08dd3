/** Buckets: names, owners, regions, and who may read. */
export { bucketRoutes } from './routes.ts';
export { type Bucket, Buckets } from './service.ts';
export { BucketStore, type MirrorSource } from './store.ts';
