/** Describes a bucket in Qiniu's shape. Fields for features we don't have say that they are off. */
import type { WireRecord } from '@millpond/protocol';
import type { Bucket } from './buckets.service.ts';

/** The separator between a key and a style name, and the commands of styles by name. */
export interface BucketStyles {
  readonly separator: string;
  readonly styles: Readonly<Record<string, string>>;
}

export function bucketInfo(bucket: Bucket, { separator, styles }: BucketStyles): WireRecord<'BucketInfo'> {
  return {
    source: bucket.mirror?.urls.join(';') ?? '',
    host: bucket.mirror?.host ?? '',
    expires: 0,
    protected: 0,
    private: bucket.isPrivate ? 1 : 0,
    no_index_page: 1,
    max_age: 0,
    separator,
    styles,
    anti_leech_mode: 0,
    token_anti_leech: 0,
    refer_wl: [],
    refer_bl: [],
    source_enabled: false,
    no_refer: false,
    mac_key: '',
    mac_key2: '',
    zone: bucket.region,
    region: bucket.region,
    remark: '',
    ctime: bucket.createdAt.toISOString(),
  };
}

/** As shown on a page of `/buckets?apiVersion=v4`. */
export function listedBucket({ name, region, isPrivate, createdAt }: Bucket): WireRecord<'Bucket'> {
  return { name, region, private: isPrivate, ctime: createdAt.toISOString() };
}
