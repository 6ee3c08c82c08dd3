/** SQL of regions. */
import { type Database, statement } from '../../../platform/db/database.ts';

export interface RegionRow {
  readonly region: string;
  /** Public host names by role. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}

/** What names a region: how many, and one of them. */
export interface RegionNaming {
  readonly buckets: number;
  readonly bucket: string | null;
  readonly accounts: number;
  readonly account: string | null;
}

// A process that was not told the names must not remove those that another told.
const tell = statement(
  'region-tell',
  `INSERT INTO control.regions AS r (region, hosts) VALUES ($1, $2)
   ON CONFLICT (region) DO UPDATE SET hosts = excluded.hosts, told_at = now()
   WHERE r.hosts <> excluded.hosts AND excluded.hosts <> '{}'`,
);
// Whoever makes a bucket in it waits, and finds it gone; a bucket that was made before is seen by the next statement.
const lock = statement('region-lock', 'SELECT region FROM control.regions WHERE region = $1 FOR UPDATE');
const naming = statement(
  'region-naming',
  `SELECT (SELECT count(*)::integer FROM control.buckets WHERE region = $1) AS buckets,
     (SELECT min(name) FROM control.buckets WHERE region = $1) AS bucket,
     (SELECT count(*)::integer FROM control.accounts WHERE default_region = $1) AS accounts,
     (SELECT min(email) FROM control.accounts WHERE default_region = $1) AS account`,
);
const forget = statement('region-forget', 'DELETE FROM control.regions WHERE region = $1');
const all = statement('region-all', 'SELECT region, hosts FROM control.regions ORDER BY region');

export class RegionsStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  async publish({ region, hosts }: RegionRow): Promise<void> {
    await this.#control.query(tell, [region, JSON.stringify(hosts)]);
  }

  /** What still names it, and keeps it; undefined if there is none of this name. */
  forget(region: string): Promise<RegionNaming | undefined> {
    return this.#control.transaction(async (transaction) => {
      if ((await transaction.query(lock, [region])).length === 0) return undefined;
      const [named] = await transaction.query<RegionNaming>(naming, [region]);
      if (named?.buckets === 0 && named.accounts === 0) await transaction.query(forget, [region]);
      return named;
    });
  }

  all(): Promise<RegionRow[]> {
    return this.#control.query<RegionRow>(all, []);
  }
}
