/** For tests of other features: the parts of the buckets feature, on the test's own databases. */
import type { Database } from '../../platform/db/database.ts';
import { Regions } from './regions/regions.ts';
import { RegionsStore } from './regions/regions-store.ts';
import { type BucketOptions, Buckets } from './service.ts';
import { BucketStore } from './store.ts';

export { S3SettingsStore } from './s3-settings-store.ts';
export { Buckets } from './service.ts';
export { BucketSettingsStore } from './settings-store.ts';
export { BucketStore } from './store.ts';

/** The buckets as one region sees them. */
export function bucketsOf(
  control: Database,
  region: Database,
  { region: name, ...options }: BucketOptions & { readonly region: string },
): Buckets {
  const regions = new Regions(new RegionsStore(control), { region: name, hosts: [], ...options });
  return new Buckets(new BucketStore(control, region), regions, options);
}
