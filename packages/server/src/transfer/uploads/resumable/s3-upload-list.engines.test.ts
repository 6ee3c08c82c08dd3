/** Lists of uploads begun by S3: what they show, and that a page reads what it shows, however many uploads a group has. */
import { beforeAll, expect, test } from 'vitest';
import { usePlans } from '../../../../test/plans.ts';
import { endOfPrefix, firstAfterPrefix } from '../../../storage/objects/index.ts';
import { type ListedUpload, S3UploadStore } from './s3-upload.store.ts';

const GROUPS = 300;
const UPLOADS_EACH = 40;
const PAGE = 100;
const database = usePlans('^uploads');
const never = new AbortController().signal;

beforeAll(async () => {
  await database.run(
    `INSERT INTO region.uploads (upload_id, bucket_id, key, class, s3, expires_at)
     SELECT gen_random_uuid(), 1, 'a/' || lpad((n % $1::int)::text, 3, '0') || CASE WHEN n % 3 = 0 THEN '' ELSE '/' || n END, 0,
       '{"mimeType": "text/plain"}', now() + interval '1 day' FROM generate_series(1, $2::int) AS n`,
    [GROUPS, GROUPS * UPLOADS_EACH],
  );
  await database.run(
    `INSERT INTO region.uploads (upload_id, bucket_id, key, class, s3, expires_at)
     SELECT gen_random_uuid(), 2, 'same', 0, '{"mimeType": "text/plain"}', now() + interval '1 day'
     FROM generate_series(1, 2000)`,
  );
  await database.run('ANALYZE region.uploads');
});

interface UploadListPage {
  readonly key: string;
  readonly uploadId: string | undefined;
}

function shownOf({ key, upload_id: uploadId, common_prefix: group }: ListedUpload): UploadListPage {
  return group === null ? { key, uploadId } : { key: group, uploadId: undefined };
}

/** Straight from what a delimiter means. */
async function expected(prefix: string, delimiter: string): Promise<UploadListPage[]> {
  const rows = await database.run<{ key: string; upload_id: string }>(
    'SELECT key, upload_id FROM region.uploads WHERE bucket_id = 1 ORDER BY key, upload_id',
  );
  const shown: UploadListPage[] = [];
  for (const { key, upload_id: uploadId } of rows.filter((row) => row.key.startsWith(prefix))) {
    const at = key.indexOf(delimiter, prefix.length);
    if (at < 0) shown.push({ key, uploadId });
    else if (shown.at(-1)?.key !== key.slice(0, at + 1))
      shown.push({ key: key.slice(0, at + 1), uploadId: undefined });
  }
  return shown;
}

test.each([
  ['a/', '/'],
  ['a/0', '/'],
  ['', '/'],
  ['a/01', '1'],
])('under %j with delimiter %j: uploads and groups in order, each once', async (prefix, delimiter) => {
  const store = new S3UploadStore(database.region);
  const afterDelimiter = firstAfterPrefix(delimiter) ?? '';
  const grouping = { delimiter, afterDelimiter, prefix };
  const page = { grouping, from: prefix, until: endOfPrefix(prefix), afterUpload: undefined, limit: 100_000 };
  const rows = await store.list(1n, page, never);
  expect(rows.map(shownOf)).toEqual(await expected(prefix, delimiter));
});

test('a page with a delimiter skips whole groups instead of reading them', async () => {
  const store = new S3UploadStore(database.region);
  const grouping = { delimiter: '/', afterDelimiter: '0', prefix: 'a/' };
  const page = { grouping, from: 'a/', until: 'a0', afterUpload: undefined, limit: PAGE };
  expect(await database.costOf(() => store.list(1n, page, never))).toBeLessThan(PAGE * 4);
});

test('a page of the uploads of one key reads none of those before it', async () => {
  const store = new S3UploadStore(database.region);
  const all = { grouping: undefined, from: '', until: 't', afterUpload: undefined, limit: 2000 };
  const rows = await store.list(2n, all, never);
  const afterUpload = rows[1800]?.upload_id;
  for (const grouping of [undefined, { delimiter: '/', afterDelimiter: '0', prefix: '' }]) {
    const page = { grouping, from: 'same', until: 't', afterUpload, limit: PAGE };
    let found: ListedUpload[] = [];
    const cost = await database.costOf(async () => {
      found = await store.list(2n, page, never);
    });
    expect(found.map((row) => row.upload_id)).toEqual(rows.slice(1801, 1901).map((row) => row.upload_id));
    expect(cost).toBeLessThan(PAGE * 4);
  }
});
