/** Calls on objects: management, lists, fetches, downloads. */
import type { CallDocs } from './call-doc.ts';

const LIST = {
  'bucket!': 'name of the bucket',
  prefix: 'only keys that begin so',
  delimiter: 'keys that go on with it are shown as one common prefix',
  marker: 'goes on after this place',
};

export const objectDocs: CallDocs = {
  '/stat/*': { summary: 'What an object is', path: '/stat/{EncodedEntryURI}', answer: 'ObjectRecord' },
  '/delete/*': { summary: 'Delete an object', path: '/delete/{EncodedEntryURI}' },
  '/copy/*': {
    summary: 'Copy an object; an optional `/force/true` overwrites',
    path: '/copy/{EncodedEntryURISource}/{EncodedEntryURITarget}',
  },
  '/move/*': {
    summary: 'Move an object; an optional `/force/true` overwrites',
    path: '/move/{EncodedEntryURISource}/{EncodedEntryURITarget}',
  },
  '/chstatus/*': {
    summary: 'Disable (1) or enable (0) an object; an optional `/cond/{Encodedcond}` guards it',
    path: '/chstatus/{EncodedEntryURI}/status/{status}',
  },
  '/deleteAfterDays/*': {
    summary: 'Delete an object after so many days; 0: never',
    path: '/deleteAfterDays/{EncodedEntryURI}/{days}',
  },
  '/lifecycle/*': {
    summary:
      'Cool or delete an object by its age: pairs of toIAAfterDays, toArchiveAfterDays, toDeepArchiveAfterDays, deleteAfterDays and days',
    path: '/lifecycle/{EncodedEntryURI}/{rules}',
  },
  '/chgm/*': {
    summary:
      'Change type and metadata: optional `/mime/{EncodedMimeType}`, pairs `/x-svc-meta-{name}/{EncodedMetaValue}`, `/cond/{Encodedcond}`',
    path: '/chgm/{EncodedEntryURI}/{changes}',
  },
  '/restoreAr/*': {
    summary: 'Make an archived object readable for 1 to 7 days',
    path: '/restoreAr/{EncodedEntryURI}/freezeAfterDays/{FreezeAfterDays}',
  },
  '/chtype/*': {
    summary: 'Change the storage class: 0 standard, 1 infrequent access, 2 archive, 3 deep archive',
    path: '/chtype/{EncodedEntryURI}/type/{type}',
  },
  '/batch': {
    summary: 'Up to 1,000 operations; 298 where one or more failed',
    form: { 'op!': 'an operation such as /stat/<EncodedEntryURI>; repeated' },
    answer: 'BatchAnswer',
  },
  '/list': {
    summary: 'A page of objects',
    query: { ...LIST, limit: 'from 1 to 1000; default 1000' },
    answer: 'ObjectList',
  },
  '/v2/list': {
    summary: 'All objects as a stream, one JSON object a line',
    query: { ...LIST, limit: 'at most so many; default: all' },
    answer: 'ListLine',
  },
  '/fetch/*': {
    summary: 'Store a file of another server; an optional `/host/{EncodedHost}` sets its Host',
    path: '/fetch/{EncodedURL}/to/{EncodedEntryURI}',
    answer: 'FetchResult',
  },
  '/prefetch/*': {
    summary: 'Fetch an object of a mirrored bucket anew',
    path: '/prefetch/{EncodedEntryURI}',
  },
  'POST /sisyphus/fetch': {
    summary: 'Store a file of another server in the background',
    json: {
      'url!': 'one or several, separated by ;',
      'bucket!': 'name of the bucket',
      key: 'name of the object; default: its hash',
      host: 'Host header',
      md5: 'of the content, to be checked',
      etag: 'hash of the content, to be checked',
      callbackurl: 'called when it has ended',
      callbackbody: 'template',
      callbackbodytype: 'content type of the callback',
      callbackhost: 'Host header of the callback',
      file_type: 'storage class',
      ignore_same_key: 'true: leave an object of that key as it is',
    },
    answer: 'Json',
  },
  'GET /sisyphus/fetch': { summary: 'How far it is', query: { 'id!': 'of the fetch' }, answer: 'Json' },
  '/:bucket/*': {
    summary: 'Download an object; its query may be a picture command',
    path: '/{bucket}/{key}',
    credential: 'url token',
    answer: 'Bytes',
  },
};
