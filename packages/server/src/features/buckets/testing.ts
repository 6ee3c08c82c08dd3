/** For tests of other features: the parts of the buckets feature, on the test's own databases. */
export { Buckets } from './service.ts';
export { BucketSettingsStore } from './settings-store.ts';
export { BucketStore } from './store.ts';
