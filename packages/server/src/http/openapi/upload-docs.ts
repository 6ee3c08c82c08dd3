/** Uploads: by form, in parts, in blocks. */
import type { CallDocs } from './call-doc.ts';

const UPLOADS = '/buckets/:bucket/objects/:key/uploads';

export const uploadDocs: CallDocs = {
  '/': {
    summary: 'Upload by form; the answer is what the policy says',
    bytes: 'form',
    form: {
      'token!': 'upload token',
      'file!': 'the content',
      key: 'name of the object; default: by the policy, or its hash',
      crc32: 'of the content, decimal',
      'x:<name>': 'a variable of your own',
      'x-svc-meta-<name>': 'metadata that is kept',
      accept: 'text/plain: the type of the answer',
    },
    credential: 'none',
    answer: 'UploadAnswer',
  },
  [UPLOADS]: {
    summary: 'Begin an upload in parts; the key is URL-safe Base64, or ~ for none',
    credential: 'upload token',
    answer: 'Json',
  },
  [`GET ${UPLOADS}/:upload`]: {
    summary: 'The parts that are there',
    query: { 'max-parts': 'from 1 to 1000', 'part-number_marker': 'after this part' },
    credential: 'upload token',
    answer: 'Json',
  },
  [`POST ${UPLOADS}/:upload`]: {
    summary: 'Complete an upload in parts',
    json: {
      'parts!': 'array of {partNumber, etag}',
      fname: 'file name',
      mimeType: 'type',
      metadata: 'pairs x-svc-meta-<name>: value',
      customVars: 'pairs x:<name>: value',
    },
    credential: 'upload token',
    answer: 'UploadAnswer',
  },
  [`DELETE ${UPLOADS}/:upload`]: { summary: 'Give an upload in parts up', credential: 'upload token' },
  [`${UPLOADS}/:upload/:number`]: {
    summary: 'Send a part, 1 MiB to 1 GiB but for the last; a Content-MD5 in hex is checked',
    bytes: 'raw',
    credential: 'upload token',
    answer: 'Json',
  },
  '/mkblk/*': {
    summary: 'Begin a block of an older upload',
    path: '/mkblk/{blockSize}',
    bytes: 'raw',
    credential: 'upload token',
    answer: 'Json',
  },
  '/bput/*': {
    summary: 'Go on with a block',
    path: '/bput/{ctx}/{nextOffset}',
    bytes: 'raw',
    credential: 'upload token',
    answer: 'Json',
  },
  '/mkfile/*': {
    summary: 'Make an object of blocks; pairs of key, mimeType, fname, x:<name> follow, URL-safe Base64',
    path: '/mkfile/{fsize}/{pairs}',
    bytes: 'raw',
    credential: 'upload token',
    answer: 'UploadAnswer',
  },
};
