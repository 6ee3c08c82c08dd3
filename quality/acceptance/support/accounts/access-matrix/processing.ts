/** Tasks and what starts them; styles of images. */
import {
  ADMINISTERS,
  ADMINISTERS_BUCKET,
  asks,
  BAD,
  EXPIRED,
  everyone,
  form,
  header,
  NO_BUCKET,
  NO_FILE,
  OPEN,
  ofAccount,
  ownerAnswers,
  type Row,
  row,
  same,
} from './row.ts';

const TASK = `z0.${'0'.repeat(40)}`;
const NO_TASK = '612 no such task';

export const processingRows: readonly Row[] = [
  row(
    'api POST /pfop/',
    form('/pfop/', ({ bucket, key }) => `bucket=${bucket}&key=${key}&fops=imageInfo`, 'bucket'),
    ['200', BAD, BAD, NO_FILE, NO_FILE, '200', BAD, EXPIRED, BAD],
    // The result has the key that the command gives it, which may be anywhere in the bucket.
    asks('bucket', 'read', 'write', 'delete'),
  ),
  // Before anybody is asked who they are.
  row(
    'api POST /pfop',
    form('/pfop', () => '', 'nothing'),
    same('301'),
    OPEN,
  ),
  // Whoever knows an id may ask for it.
  row(
    'api GET /status/get/prefop',
    header('nothing', () => ({ target: `/status/get/prefop?id=${TASK}` })),
    same(NO_TASK),
    OPEN,
  ),
  ...(
    [
      ['GET /v1/tasks', '/v1/tasks', '200'],
      ['GET /v1/tasks/:id', `/v1/tasks/${TASK}`, NO_TASK],
      ['POST /v1/tasks/:id/cancel', `/v1/tasks/${TASK}/cancel`, NO_TASK],
      ['POST /v1/tasks/:id/rerun', `/v1/tasks/${TASK}/rerun`, NO_TASK],
      ['GET /v1/workflows', '/v1/workflows', '200'],
      ['GET /v1/workflows/:name', '/v1/workflows/none', NO_FILE],
      ['PUT /v1/workflows/:name', '/v1/workflows/some', '200'],
      ['DELETE /v1/workflows/:name', '/v1/workflows/none', NO_FILE],
      ['GET /v1/triggers', '/v1/triggers', '200'],
      ['DELETE /v1/triggers/:id', '/v1/triggers/none', NO_FILE],
      ['GET /v1/pipelines', '/v1/pipelines', '200'],
      ['PUT /v1/pipelines/:name', '/v1/pipelines/some', '200'],
      ['DELETE /v1/pipelines/:name', '/v1/pipelines/none', NO_FILE],
    ] as const
  ).map(([route, path, own]) =>
    row(
      `api ${route}`,
      ofAccount(route, path, '{"commands":"imageInfo","concurrency":1}'),
      everyone(own),
      ADMINISTERS,
    ),
  ),
  row(
    'api POST /v1/triggers',
    form('/v1/triggers', ({ bucket }) => JSON.stringify({ bucket, workflow: 'none' }), 'bucket'),
    ownerAnswers('400 invalid argument'),
    ADMINISTERS,
  ),
  ...(
    [
      ['GET', '', undefined, '200'],
      ['PUT', '', { allow: 'all' }, '200'],
      ['PUT', '/:name', { command: 'imageInfo' }, '200'],
      ['DELETE', '/:name', undefined, NO_FILE],
    ] as const
  ).map(([method, rest, body, own]) =>
    row(
      `api ${method} /v1/buckets/:bucket/styles${rest}`,
      header('bucket', ({ bucket, fresh }) => ({
        target: `/v1/buckets/${bucket}/styles${rest === '' ? '' : `/${fresh}`}`,
        contentType: 'application/json',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })),
      [own, BAD, BAD, NO_BUCKET, NO_BUCKET, own, BAD, EXPIRED, BAD],
      ADMINISTERS_BUCKET,
    ),
  ),
];
