/** What small objects cost the database: its log, and the size of its tables. */
import { withClient } from '../database.ts';

export interface Sizes {
  readonly objects: number;
  /** Sizes of the object table with its indexes, of the locations in packs, of the inbox, and of all tables. */
  readonly objectBytes: number;
  readonly placeBytes: number;
  readonly inboxBytes: number;
  readonly packs: number;
  readonly packedObjects: number;
}

export async function walBytes(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`,
    );
    return Number(rows[0]?.bytes);
  });
}

const TREE = (name: string) =>
  `(SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = 'region.${name}'::regclass)::float8`;

export async function sizesOf(url: string): Promise<Sizes> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Sizes>(
      `SELECT (SELECT count(*) FROM region.objects)::float8 AS objects, ${TREE('objects')} AS "objectBytes",
              (pg_total_relation_size('region.packed') + pg_total_relation_size('region.packs'))::float8 AS "placeBytes",
              ${TREE('inbox')} AS "inboxBytes", (SELECT count(*) FROM region.packs)::float8 AS packs,
              (SELECT count(*) FROM region.packed)::float8 AS "packedObjects"`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the sizes are not there');
    return row;
  });
}
