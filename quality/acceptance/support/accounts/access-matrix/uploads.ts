/** Uploads by form, in parts and in blocks. */
import { encodeBase64Text } from '@millpond/protocol';
import {
  type Answers,
  asks,
  BAD,
  LATE,
  type MatrixFixture,
  NO_BUCKET,
  type Row,
  row,
  UNSIGNED,
} from './row.ts';

const PART_PATH = '/buckets/:bucket/objects/:key/uploads/:upload';
const [NO_UPLOAD, NO_CONTEXT] = ['612 no such uploadId', '701 invalid upload context'];
const UPLOAD = '/00000000-0000-4000-8000-000000000000';

/** The content that is there already replaces nothing. */
const WRITES = asks('object', 'write');

/** A call of a resumable upload: its token stands in the header, and names what may be written. */
const resumable = (path: (fixture: MatrixFixture) => string, body = '') =>
  ({
    credential: 'upload header',
    names: 'bucket',
    call: (fixture) => ({ target: path(fixture), body, contentType: 'application/octet-stream' }),
  }) as const satisfies Pick<Row, 'credential' | 'names' | 'call'>;
const inParts = (rest: string) =>
  resumable(({ bucket, key }) => `/buckets/${bucket}/objects/${encodeBase64Text(key)}/uploads${rest}`);

/** All columns but the owner's own keys, which get as far as the call itself. */
const uploadAnswers = (own: string): Answers => [
  own,
  UNSIGNED,
  BAD,
  NO_BUCKET,
  NO_BUCKET,
  own,
  BAD,
  LATE,
  BAD,
];

export const uploadRows: readonly Row[] = [
  row(
    'up POST /',
    { credential: 'form', names: 'bucket', call: () => ({ target: '/' }) },
    uploadAnswers('200'),
    WRITES,
  ),
  row('up POST /buckets/:bucket/objects/:key/uploads', inParts(''), uploadAnswers('200'), WRITES),
  row(`up GET ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD), WRITES),
  row(`up POST ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD), WRITES),
  row(`up DELETE ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD), WRITES),
  row(`up PUT ${PART_PATH}/:number`, inParts(`${UPLOAD}/1`), uploadAnswers(NO_UPLOAD), WRITES),
  row(
    'up POST /mkblk/*',
    resumable(() => '/mkblk/5', 'hello'),
    uploadAnswers('200'),
    WRITES,
  ),
  row(
    'up POST /bput/*',
    resumable(() => '/bput/none/0', 'hello'),
    uploadAnswers(NO_CONTEXT),
    WRITES,
  ),
  row(
    'up POST /mkfile/*',
    resumable(() => '/mkfile/5', 'none'),
    uploadAnswers(NO_CONTEXT),
    WRITES,
  ),
];
