/** For tests of other features: the parts of the buckets feature, on the test's own databases. */
import type { Database } from '../../platform/db/database.ts';
import { type BucketOptions, Buckets } from './buckets.service.ts';
import { BucketStore } from './buckets.store.ts';
import { RegionsStore } from './regions/regions.store.ts';
import { Regions } from './regions/regions.ts';

export { S3SettingsStore } from './bucket-s3-settings.store.ts';
export { BucketSettingsStore } from './bucket-settings.store.ts';
export { Buckets } from './buckets.service.ts';
export { BucketStore } from './buckets.store.ts';

/** The buckets as one region sees them. */
export function bucketsOf(
  control: Database,
  region: Database,
  { region: name, ...options }: BucketOptions & { readonly region: string },
): Buckets {
  const regions = new Regions(new RegionsStore(control), { region: name, hosts: [], ...options });
  return new Buckets(new BucketStore(control, region), regions, options);
}
