/** For tests of other features: the parts of the buckets feature, on the test's own databases. */

export { S3SettingsStore } from './s3-settings-store.ts';
export { Buckets } from './service.ts';
export { BucketSettingsStore } from './settings-store.ts';
export { BucketStore } from './store.ts';
