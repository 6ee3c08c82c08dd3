/** Buckets: names, owners, regions, who may read, and what their owners set on them. */
export { corsHeaders, parseHeaderNames, variesByOrigin } from './cors-rules.ts';
export { parseDomain } from './domain-name.ts';
export { Domains } from './domains.ts';
export { dueAction, type LifecycleRule, ruleFor } from './lifecycle-rules.ts';
export { LifecycleSettings } from './lifecycle-settings.ts';
export { parametersOf } from './parameters.ts';
export { type RegionHostOptions, RegionHosts } from './region-hosts.ts';
export { bucketRoutes } from './routes.ts';
export { type Bucket, Buckets } from './service.ts';
export { bucketSettingsRoutes } from './settings-routes.ts';
export { BucketSettingsStore } from './settings-store.ts';
export { BucketStore, type Closing, type MirrorSource } from './store.ts';
