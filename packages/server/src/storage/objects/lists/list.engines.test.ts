import { newBlobId } from '@millpond/blobs';
import { dialects, encodeListMarker } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { recordLists } from './list.store.ts';
import { type ListPage, type ListQuery, Lists, markerOfLine } from './list.ts';

const databases = useDatabases();
const never = new AbortController().signal;
let nextBucket = 100n;

async function bucketWith(keys: readonly string[]) {
  const id = nextBucket++;
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT $1, key, $3, 1, 'h', 'text/plain', 'text/plain', 1 FROM unnest($2::text[]) AS key`,
    [id, keys, newBlobId()],
  );
  return { id, name: 'b', uid: 1n, region: 'z0', isPrivate: false, createdAt: new Date(), cors: [] };
}

/** All pages of a list, one after the other. */
async function walk(
  keys: readonly string[],
  query: Omit<ListQuery, 'marker'>,
): Promise<{ items: string[]; prefixes: string[]; pages: ListPage[] }> {
  const bucket = await bucketWith(keys);
  const lists = new Lists(recordLists(databases.region), dialects.svc);
  const pages: ListPage[] = [];
  let marker = '';
  do {
    const page = await lists.page(bucket, { ...query, marker }, never);
    pages.push(page);
    marker = page.marker ?? '';
  } while (marker !== '' && pages.length < 1000);
  return {
    pages,
    items: pages.flatMap((page) => page.items.map((item) => item.key)),
    prefixes: pages.flatMap((page) => page.commonPrefixes ?? []),
  };
}

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a list must give, said plainly. */
function expected(keys: readonly string[], prefix: string, delimiter: string) {
  const matching = keys.filter((key) => key.startsWith(prefix)).toSorted(inBytes);
  const groupOf = (key: string): string | undefined => {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return at < 0 ? undefined : key.slice(0, at + delimiter.length);
  };
  return {
    items: matching.filter((key) => groupOf(key) === undefined),
    prefixes: [...new Set(matching.map(groupOf).filter((group) => group !== undefined))],
  };
}

describe('lists', () => {
  const key = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '-', 'é', '\u{10ffff}', '\u{1f600}', '\u{ffff}', '\u0001'),
    minLength: 0,
    maxLength: 6,
  });

  test('give every key once, in byte order, grouped by the delimiter, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { maxLength: 25 }),
        fc.string({ unit: fc.constantFrom('a', '/', 'é'), maxLength: 2 }),
        fc.constantFrom('', '/', '-', 'ab', '\u{1f600}'),
        fc.integer({ min: 1, max: 7 }),
        async (keys, prefix, delimiter, limit) => {
          const { items, prefixes, pages } = await walk(keys, { prefix, delimiter, limit });
          expect({ items, prefixes }).toEqual(expected(keys, prefix, delimiter));
          for (const page of pages)
            expect(page.items.length + (page.commonPrefixes?.length ?? 0)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 150 },
    );
  });
});

test('the marker of a line is that of a page', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (key) => {
      expect(markerOfLine(key)).toBe(encodeListMarker(key));
    }),
  );
});
