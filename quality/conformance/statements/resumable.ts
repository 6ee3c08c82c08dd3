import { statements } from '../statement.ts';

/** Resumable uploads: parts (version 2) and blocks (version 1). */
export const resumableStatements = [
  ...statements(
    { subject: 'resumable', from: 'decision', milestone: 'uploads', where: 'resumable uploads v2' },
    {
      'multipart-01':
        'POST /buckets/<b>/objects/<key>/uploads with an upload token answers uploadId and expireAt, 7 days ahead',
      'multipart-02': 'PUT …/uploads/<id>/<n> stores a part and answers its etag and hex md5',
      'multipart-03': 'A Content-MD5 (hex) that does not match the part is refused',
      'multipart-04': 'POST …/uploads/<id> with the parts makes the object and answers like a form upload',
      'multipart-05': 'Parts sent in parallel and out of order give the bytes in part order',
      'multipart-06': 'A part sent again replaces the first one of that number',
      'multipart-07': 'A part number of 0 or 10001 answers 400',
      'multipart-08': 'A part under 1 MiB that is not the last is refused at completion',
      'multipart-09': 'Completion with a part that was not sent, or another etag, answers 400',
      'multipart-10': 'DELETE …/uploads/<id> ends the upload; later calls answer 612 with `no such uploadId`',
      'multipart-11': 'GET …/uploads/<id> lists the parts with size, etag and number, in pages',
      'multipart-12': 'An unknown or expired id answers 612 with `no such uploadId`',
      'multipart-13': '`~` as the key: the object is named by the policy or its hash',
      'multipart-14': 'Beginning an upload does not touch an existing object of the key',
      'multipart-15':
        'fname, mimeType, metadata and customVars of the completion are used like the fields of a form',
      'multipart-16':
        'A gateway killed in the middle: the upload resumes with the parts that were answered, and the hash is exact',
      'multipart-17': 'Scope, deadline and size rules hold at completion as for a form upload',
      'multipart-18':
        'All parts of 4 MiB but the last: the hash equals that of a form upload of the same bytes',
    },
  ),
  ...statements(
    { subject: 'resumable', from: 'decision', milestone: 'uploads', where: 'resumable uploads v1' },
    {
      'blocks-01':
        'POST /mkblk/<size> stores a first chunk and answers ctx, checksum, crc32, offset, host and expired_at',
      'blocks-02': 'POST /bput/<ctx>/<offset> adds the next chunk; a wrong offset is refused',
      'blocks-03':
        'POST /mkfile/<fsize>/key/<b64> with the ctx list makes the object and answers like a form upload',
      'blocks-04': 'crc32 in the answers is the IEEE CRC of what was sent',
      'blocks-05': 'A wrong or expired ctx answers 701',
      'blocks-06': 'Blocks whose sizes do not sum to fsize are refused and make no object',
      'blocks-07': 'mimeType, fname and x: variables in the mkfile path are used',
    },
  ),
  ...statements(
    {
      subject: 'resumable',
      from: 'decision',
      milestone: 'uploads',
      where: 'resumable uploads: lost answers',
    },
    {
      'repeat-01':
        'A completion or mkfile that is sent again gets the same answer, and the object is not touched',
      'repeat-02':
        'Only the same request by the same key, with the same policy but for its deadline, gets that answer; others 612 or 701',
      'repeat-03':
        'Where the object was overwritten or deleted meanwhile, it is 612 or 701; changed metadata do not matter',
      'repeat-04': 'The same completion several times at once: all get the one answer',
      'repeat-05': 'A task that the upload asks for is started once; its persistentId comes again',
      'repeat-06': 'A callback is made once; the receiver’s answer, or 579, comes again',
      'repeat-07': 'An answer of 16 KiB or more is not kept: 612 or 701',
      'repeat-08': 'A chunk (bput) that is sent again gets the same answer; other bytes at its place 701',
      'repeat-09': 'Answers are kept for an hour at least, and then removed',
      'repeat-10':
        'A gateway killed between commit and answer: the same request to another is answered, and a callback that was not made is made',
    },
  ),
];
