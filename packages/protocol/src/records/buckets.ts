import {
  flag,
  integer,
  listOf,
  mapOf,
  oneOf,
  record,
  text,
  time,
  unixSeconds,
  withDescription,
} from './schema.ts';

const yesOrNo = oneOf([0, 1], '0: no; 1: yes');
const affected = record({ objects: integer, bytes: integer });
const days = withDescription(integer, 'days after the upload; 0: never');

export const bucketRecords = {
  Bucket: record({
    name: text,
    region: text,
    private: flag,
    ctime: withDescription(time, 'when it was created'),
  }),
  BucketInfo: withDescription(
    record({
      region: text,
      zone: text,
      private: yesOrNo,
      ctime: time,
      source: withDescription(text, 'where missing objects come from, separated by `;`'),
      host: withDescription(text, 'the Host header for that source'),
      separator: withDescription(text, 'between a key and the name of a style'),
      styles: withDescription(mapOf(text), 'commands by the name of their style'),
      no_index_page: yesOrNo,
      max_age: integer,
      expires: integer,
      protected: yesOrNo,
      anti_leech_mode: integer,
      token_anti_leech: integer,
      refer_wl: listOf(text),
      refer_bl: listOf(text),
      source_enabled: flag,
      no_refer: flag,
      mac_key: text,
      mac_key2: text,
      remark: text,
    }),
    'in Qiniu’s shape; fields for features that Millpond lacks say that they are off',
  ),
  CorsRules: listOf(
    record({
      allowed_origin: listOf(text),
      allowed_method: listOf(text),
      'allowed_header?': listOf(text),
      'exposed_header?': listOf(text),
      'max_age?': withDescription(integer, 'seconds for which a browser need not ask again'),
    }),
  ),
  LifecycleRule: record({
    name: text,
    prefix: withDescription(text, 'keys that begin with it'),
    'to_line_after_days?': days,
    'to_archive_after_days?': days,
    'to_deep_archive_after_days?': days,
    'delete_after_days?': days,
    'ctime?': withDescription(time, 'when it was added'),
  }),
  LifecyclePreview: record({
    read: withDescription(integer, 'objects that were looked at'),
    isWhole: withDescription(flag, 'false: there are more, which were not looked at'),
    would: withDescription(
      record({ delete: affected, class1: affected, class2: affected, class3: affected }),
      'what would be done with objects now: deleted, or given this class',
    ),
    examples: withDescription(
      listOf(record({ key: text, act: oneOf(['delete', 'class1', 'class2', 'class3']) })),
      'the first 20 of them',
    ),
  }),
  Quota: record({
    size: withDescription(integer, 'bytes; -1: no limit'),
    count: withDescription(integer, 'objects; -1: no limit'),
  }),
  Domain: record({
    domain: text,
    tbl: withDescription(text, 'name of the bucket'),
    uid: integer,
    refresh: flag,
    ctime: unixSeconds,
    utime: unixSeconds,
  }),
  Tags: record({ Tags: listOf(record({ Key: text, Value: text })) }),
  Styles: record({
    separator: withDescription(text, 'between a key and the name of a style'),
    allow: withDescription(text, 'which commands URLs may contain'),
    items: listOf(record({ name: text, command: text })),
  }),
};
