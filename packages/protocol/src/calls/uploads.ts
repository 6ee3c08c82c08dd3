import { ref } from '../records/index.ts';
import { binary, integer, listOf, mapOf, record, text, withDescription } from '../records/schema.ts';
import { answers, group, json, may, needed } from './builders.ts';
import type { CallDescription } from './call.ts';

const upload = group('Uploads', 'up', 'upload token');
const download = group('Downloads', 'io', 'download');

const bytes = { type: 'application/octet-stream', schema: binary };
const stored = answers(ref('Uploaded'));
const faults = {
  401: 'the token is not valid',
  579: 'the object is stored, but the callback failed',
  614: 'the key exists and the policy only allows inserts',
};
const lost = { 612: 'there is no such upload' };
const within = '/buckets/{bucket}/objects/{EncodedObjectName}/uploads';
const routed = '/buckets/:bucket/objects/:key/uploads';
const atUpload = { route: `${routed}/:upload` };
const file = {
  query: [
    may('attname', 'name under which browsers save it'),
    may('e', 'with `token`: when the URL expires, unix seconds', integer),
    may('token', 'signature of a private URL'),
  ],
  answer: {
    type: 'application/octet-stream',
    schema: binary,
    about: 'the bytes; ranges and conditions as in HTTP',
  },
  faults: {
    206: 'the range that was asked for',
    304: 'not modified',
    401: 'it is private, and the signature is missing or wrong',
    403: 'it is archived and not restored',
    404: 'there is no such object',
  },
};

export const uploadCalls: readonly CallDescription[] = [
  upload('uploadForm', 'POST /', 'Uploads a file by form', {
    body: {
      type: 'multipart/form-data',
      fields: [
        needed('token', 'the upload token'),
        needed('file', 'the content', binary),
        may('key', 'key of the object; without it the policy or the hash names it'),
        may('crc32', 'CRC-32 of the content', integer),
        may('accept', '`text/plain` for an answer that old browsers show'),
        may('x-svc-meta-<name>', 'custom metadata of that name'),
        may('x-svc-meta-!<header>', 'response header of downloads, such as `Cache-Control`'),
      ],
    },
    answer: stored,
    faults,
  }),
  upload('beginUpload', `POST ${within}`, 'Begins a multipart upload', {
    route: routed,
    answer: answers(ref('NewUpload')),
  }),
  upload(
    'uploadPart',
    `PUT ${within}/{uploadId}/{partNumber}`,
    'Uploads a part: 1 MiB to 1 GiB; the last one may be smaller',
    {
      route: `${routed}/:upload/:number`,
      body: bytes,
      answer: answers(ref('NewPart')),
      faults: lost,
    },
  ),
  upload('parts', `GET ${within}/{uploadId}`, 'The parts received so far', {
    ...atUpload,
    query: [
      may('max-parts', 'from 1 to 1000', integer),
      may('part-number_marker', 'where the last page ended', integer),
    ],
    answer: answers(ref('Parts')),
    faults: lost,
  }),
  upload(
    'completeUpload',
    `POST ${within}/{uploadId}`,
    'Completes a multipart upload. If sent again within an hour, the answer is the same',
    {
      ...atUpload,
      body: json(
        record({
          parts: listOf(record({ partNumber: integer, etag: text })),
          'fname?': text,
          'mimeType?': text,
          'metadata?': withDescription(
            mapOf(text),
            'by `x-svc-meta-<name>`; response headers by `x-svc-meta-!<header>`',
          ),
          'customVars?': mapOf(text),
        }),
      ),
      answer: stored,
      faults: { ...faults, ...lost },
    },
  ),
  upload('abortUpload', `DELETE ${within}/{uploadId}`, 'Aborts a multipart upload', {
    ...atUpload,
    faults: lost,
  }),
  upload('makeBlock', 'POST /mkblk/{blockSize}', 'Begins a block with its first bytes', {
    body: bytes,
    answer: answers(ref('Block')),
  }),
  upload(
    'putBlock',
    'POST /bput/{context}/{offset}',
    'Adds bytes to a block. If sent again, the answer is the same',
    {
      body: bytes,
      answer: answers(ref('Block')),
      faults: { 701: 'the block is gone or the offset is wrong: begin the block again' },
    },
  ),
  upload(
    'makeFile',
    'POST /mkfile/{fileSize}',
    'Creates an object from blocks. Optional: `/key/<EncodedKey>`, `/mimeType/<EncodedMimeType>`, `/fname/<EncodedName>`, `/x:<name>/<EncodedValue>`, `/x-svc-meta-<name>/<EncodedValue>` and `/x-svc-meta-!<header>/<EncodedValue>`. If sent again within an hour, the answer is the same',
    {
      body: {
        type: 'text/plain',
        schema: { type: 'string', description: 'contexts of the blocks, separated by commas' },
      },
      answer: stored,
      faults,
    },
  ),
  download(
    'download',
    'GET|HEAD /{bucket}/{key}',
    'The bytes of an object; with a processing command as the query, an image or facts made from it',
    {
      ...file,
      route: '/:bucket/*',
    },
  ),
];
