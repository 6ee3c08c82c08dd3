/** Buckets: names, owners, regions, who may read, and what their owners set on them. */

export { type BucketsFeature, createBuckets } from './buckets.create.ts';
export { type BucketLifecycle, dueActionOf, expiryOf } from './buckets.lifecycle.ts';
export { parametersOf } from './buckets.parameters.ts';
export type { Bucket, Buckets } from './buckets.service.ts';
export type { GateClosure, MirrorSource } from './buckets.store.ts';
export { corsHeaders, parseHeaderNames, variesByOrigin } from './cors-rules.ts';
export { parseDomain } from './domain-name.ts';
export type { Domains } from './domains.ts';
export type { BucketStyles } from './info.ts';
export { type LifecycleRule, readLifecycleRule, ruleFor } from './lifecycle-rules.ts';
export { invalidBodyFault, parseJsonBody, requireJsonObject } from './parse-json-body.ts';
export { type RegionHostOptions, RegionHosts } from './regions/region-hosts.ts';
export type { Regions } from './regions/regions.ts';
export { s3CorsHeaders } from './s3-cors.ts';
export type { S3Settings } from './s3-settings.ts';
