import { ref } from '../records/index.ts';
import { anything, flag, integer, listOf, mapOf, record, text, withDescription } from '../records/schema.ts';
import { answers, bucketField, form, group, json, limit, marker, may, needed } from './builders.ts';
import type { CallDescription } from './call.ts';

const bucket = group('Buckets', 'uc', 'management or token');
const preview = group('Buckets', 'api', 'management or token');
const query = group('Regions', 'uc', 'none');
const byBucket = [bucketField];
const ROLES = ['up', 'io', 'io_src', 'rs', 'rsf', 'uc', 'api'];
const asked = [needed('ak', 'access key of its owner'), bucketField];

const rule = [
  bucketField,
  needed('name', 'name of the rule'),
  may('prefix', 'only keys that begin with this'),
  may('delete_after_days', 'days until objects are deleted', integer),
  may('to_line_after_days', 'days until class 1', integer),
  may('to_archive_after_days', 'days until class 2', integer),
  may('to_deep_archive_after_days', 'days until class 3', integer),
];

export const bucketCalls: readonly CallDescription[] = [
  bucket(
    'createBucket',
    'POST /mkbucketv3/{bucket}/region/{region}',
    'Creates a bucket. With `/private/true` behind it only signed URLs can read it, from the first moment on',
    {
      faults: { 614: 'the bucket name is taken' },
    },
  ),
  bucket('dropBucket', 'POST /drop/{bucket}', 'Drops an empty bucket', {
    faults: { 409: 'it is not empty' },
  }),
  bucket('buckets', 'GET|POST /buckets', 'Names of the buckets; with `apiVersion=v4` records, by page', {
    query: [
      may('region', 'only in this region'),
      may('tagCondition', 'only with these tags'),
      may('apiVersion', '`v4` for records'),
      limit(1000),
      marker,
    ],
    answer: answers({
      oneOf: [
        listOf(text),
        record({
          next_marker: text,
          is_truncated: flag,
          buckets: listOf(ref('Bucket')),
        }),
      ],
    }),
  }),
  bucket('bucketInfo', 'GET|POST /v2/bucketInfo', 'The settings of a bucket', {
    query: byBucket,
    answer: answers(ref('BucketInfo')),
  }),
  bucket('setPrivate', 'POST /private', 'Makes a bucket private or public', {
    body: form(bucketField, needed('private', '0 or 1', integer)),
  }),
  bucket(
    'setQuota',
    'POST /setbucketquota/{bucket}/size/{bytes}/count/{objects}',
    'Limits what a bucket may store',
  ),
  bucket('quota', 'GET|POST /getbucketquota/{bucket}', 'The limits of a bucket; -1 for none', {
    answer: answers(ref('Quota')),
  }),
  bucket(
    'setCorsRules',
    'POST /corsRules/set/{bucket}',
    'Sets the CORS rules of a bucket; `[]` removes them all',
    {
      body: json(ref('CorsRules')),
    },
  ),
  bucket('corsRules', 'GET|POST /corsRules/get/{bucket}', 'The CORS rules of a bucket', {
    answer: answers(ref('CorsRules')),
  }),
  bucket('tags', 'GET /bucketTagging', 'Tags of a bucket', { query: byBucket, answer: answers(ref('Tags')) }),
  bucket('setTags', 'PUT /bucketTagging', 'Sets the tags of a bucket', {
    query: byBucket,
    body: json(ref('Tags')),
  }),
  bucket('removeTags', 'DELETE /bucketTagging', 'Removes the tags of a bucket', { query: byBucket }),
  bucket('domains', 'GET|POST /v2/domains', 'Domains bound to a bucket', {
    query: [needed('tbl', 'name of the bucket')],
    answer: answers(listOf(text)),
  }),
  bucket('domainRecords', 'GET|POST /v3/domains', 'Domains bound to a bucket, as records', {
    query: [needed('tbl', 'name of the bucket')],
    answer: answers(listOf(ref('Domain'))),
  }),
  bucket('bindDomain', 'POST /publish/{EncodedDomain}/from/{bucket}', 'Binds a domain to a bucket'),
  bucket('unbindDomain', 'POST /unpublish/{EncodedDomain}', 'Removes a domain from its bucket'),
  bucket('addRule', 'POST /rules/add', 'Adds a lifecycle rule', { body: form(...rule) }),
  bucket('updateRule', 'POST /rules/update', 'Changes a lifecycle rule', { body: form(...rule) }),
  bucket('removeRule', 'POST /rules/delete', 'Removes a lifecycle rule', {
    body: form(bucketField, needed('name', 'name of the rule')),
  }),
  bucket('rules', 'GET|POST /rules/get', 'Lifecycle rules of a bucket', {
    query: byBucket,
    answer: answers(listOf(ref('LifecycleRule'))),
  }),
  preview(
    'previewRule',
    'POST /v1/lifecycle/preview',
    'What a lifecycle rule would do now, beside the other rules of the bucket; changes nothing, and looks at 100,000 objects at most',
    {
      body: json(
        record({
          bucket: text,
          rule: withDescription(anything, 'as in `/rules/add`; its name may be missing'),
        }),
      ),
      answer: answers(ref('LifecyclePreview')),
    },
  ),
  bucket(
    'setEventRules',
    'POST /eventRules/set/{bucket}',
    'Sets which changes of objects are sent to which URLs; `[]` removes all rules',
    { body: json(listOf(ref('EventRule'))) },
  ),
  bucket(
    'eventRules',
    'GET|POST /eventRules/get/{bucket}',
    'Which changes of objects are sent to which URLs',
    {
      answer: answers(listOf(ref('EventRule'))),
    },
  ),
  bucket(
    'setMirror',
    'POST /image/{bucket}/from/{EncodedURL}',
    'Sets where missing files are fetched from; several URLs are separated by `;`. Optional: `/host/<EncodedHost>`',
  ),
  bucket('removeMirror', 'POST /unimage/{bucket}', 'Stops fetching missing files'),
  bucket('regions', 'GET /regions', 'All regions', {
    answer: answers(
      record({
        regions: listOf(
          record({
            id: text,
            description: text,
            ttl: withDescription(integer, 'seconds for which the hosts may be cached'),
            ...Object.fromEntries(ROLES.map((role) => [role, mapOf(listOf(text))])),
            s3: record({ domains: listOf(text), region_alias: text }),
            extra: record({ file_types: withDescription(listOf(mapOf(anything)), 'storage classes') }),
          }),
        ),
      }),
    ),
  }),
  ...['v4', 'v3', 'v2'].map((version) =>
    query(
      `hosts${version.toUpperCase()}`,
      `GET|POST /${version}/query`,
      'Hosts of the region that a bucket is in',
      {
        query: asked,
        answer: answers(mapOf(anything)),
      },
    ),
  ),
];
