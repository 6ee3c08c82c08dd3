/** What a bucket is, in Qiniu's shape. Fields of things that we have not say that they are off. */
import type { Bucket } from './service.ts';

/** What stands between a key and the name of a style, and the commands of styles by name. */
export interface BucketStyles {
  readonly separator: string;
  readonly styles: Readonly<Record<string, string>>;
}

export function bucketInfo(bucket: Bucket, { separator, styles }: BucketStyles): object {
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

/** As a page of `/buckets?apiVersion=v4` shows it. */
export function listedBucket({ name, region, isPrivate, createdAt }: Bucket): object {
  return { name, region, private: isPrivate, ctime: createdAt.toISOString() };
}
