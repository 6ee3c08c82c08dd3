/** For tests of other features: buckets piece by piece, on databases of the test. */
export { Buckets } from './service.ts';
export { BucketSettingsStore } from './settings-store.ts';
export { BucketStore } from './store.ts';
