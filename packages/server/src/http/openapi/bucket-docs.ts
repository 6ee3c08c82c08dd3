/** Calls on buckets and their settings, and on styles. */
import type { CallDocs } from './call-doc.ts';

const BUCKET = { 'bucket!': 'name of the bucket' };
const TABLE = { 'tbl!': 'name of the bucket' };
const REGION = { 'ak!': 'an access key of the owner', ...BUCKET };
const RULE = {
  ...BUCKET,
  'name!': 'of the rule',
  prefix: 'of the keys that it is about',
  to_line_after_days: 'days until infrequent access',
  to_archive_after_days: 'days until archive',
  to_deep_archive_after_days: 'days until deep archive',
  delete_after_days: 'days until it is deleted',
};
const STYLES = '/v1/buckets/:bucket/styles';

export const bucketDocs: CallDocs = {
  '/mkbucketv3/*': { summary: 'Create a bucket', path: '/mkbucketv3/{bucket}/region/{region}' },
  '/drop/*': { summary: 'Drop an empty bucket', path: '/drop/{bucket}' },
  '/private': {
    summary: 'Make a bucket private or public',
    form: { ...BUCKET, 'private!': '1 private, 0 public' },
  },
  '/buckets': {
    summary: 'Names of the buckets, or with apiVersion=v4 their records, a page at a time',
    query: {
      apiVersion: 'v4',
      region: 'only of this one',
      limit: 'from 1 to 1000',
      marker: 'goes on here',
      tagCondition: 'only with these tags',
    },
    answer: 'Json',
  },
  '/v2/bucketInfo': { summary: 'What a bucket is', query: BUCKET, answer: 'Json' },
  '/regions': { summary: 'The regions', answer: 'Json' },
  '/v4/query': { summary: 'Hosts of a bucket’s region', query: REGION, credential: 'none', answer: 'Json' },
  '/v3/query': { summary: 'Hosts of a bucket’s region', query: REGION, credential: 'none', answer: 'Json' },
  '/v2/query': {
    summary: 'Hosts of a bucket’s region, in an older shape',
    query: REGION,
    credential: 'none',
    answer: 'Json',
  },
  '/corsRules/set/*': {
    summary: 'Set the CORS rules: a JSON array',
    path: '/corsRules/set/{bucket}',
    json: {},
  },
  '/corsRules/get/*': { summary: 'The CORS rules', path: '/corsRules/get/{bucket}', answer: 'Json' },
  'GET /bucketTagging': { summary: 'The tags of a bucket', query: BUCKET, answer: 'Json' },
  'PUT /bucketTagging': {
    summary: 'Set the tags of a bucket',
    query: BUCKET,
    json: { 'Tags!': 'array of {Key, Value}' },
  },
  'DELETE /bucketTagging': { summary: 'Take the tags of a bucket away', query: BUCKET },
  '/v2/domains': { summary: 'Domains of a bucket', query: TABLE, answer: 'Json' },
  '/v3/domains': { summary: 'Domains of a bucket, with their times', query: TABLE, answer: 'Json' },
  '/publish/*': { summary: 'Bind a domain to a bucket', path: '/publish/{EncodedDomain}/from/{bucket}' },
  '/unpublish/*': { summary: 'Unbind a domain', path: '/unpublish/{EncodedDomain}' },
  '/rules/add': { summary: 'Add a lifecycle rule', form: RULE },
  '/rules/update': { summary: 'Change a lifecycle rule', form: RULE },
  '/rules/delete': { summary: 'Remove a lifecycle rule', form: { ...BUCKET, 'name!': 'of the rule' } },
  '/rules/get': { summary: 'The lifecycle rules', query: BUCKET, answer: 'Json' },
  '/setbucketquota/*': {
    summary: 'Set the quota of a bucket: `size` in bytes, `count` in objects; -1: none',
    path: '/setbucketquota/{bucket}/size/{size}/count/{count}',
  },
  '/getbucketquota/*': { summary: 'The quota of a bucket', path: '/getbucketquota/{bucket}', answer: 'Json' },
  '/image/*': {
    summary: 'Mirror: where missing objects are fetched from; an optional `/host/{EncodedHost}`',
    path: '/image/{bucket}/from/{EncodedURL}',
  },
  '/unimage/*': { summary: 'Mirror no more', path: '/unimage/{bucket}' },
  [`GET ${STYLES}`]: { summary: 'Styles of pictures', answer: 'Json' },
  [`PUT ${STYLES}`]: {
    summary: 'What commands a bucket takes',
    json: { separator: 'between key and style', allow: 'which commands' },
    answer: 'Json',
  },
  [`PUT ${STYLES}/:name`]: {
    summary: 'Set a style',
    json: { 'command!': 'a picture command' },
    answer: 'Json',
  },
  [`DELETE ${STYLES}/:name`]: { summary: 'Remove a style' },
};
