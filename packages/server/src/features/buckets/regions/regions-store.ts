/** SQL of regions. */
import { type Database, statement } from '../../../platform/db/database.ts';

export interface RegionRow {
  readonly region: string;
  /** Public host names by role. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}

// A process that was not told the names must not remove those that another told.
const tell = statement(
  'region-tell',
  `INSERT INTO control.regions AS r (region, hosts) VALUES ($1, $2)
   ON CONFLICT (region) DO UPDATE SET hosts = excluded.hosts, told_at = now()
   WHERE r.hosts <> excluded.hosts AND excluded.hosts <> '{}'`,
);
const all = statement('region-all', 'SELECT region, hosts FROM control.regions ORDER BY region');

export class RegionsStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  async tell({ region, hosts }: RegionRow): Promise<void> {
    await this.#control.query(tell, [region, JSON.stringify(hosts)]);
  }

  all(): Promise<RegionRow[]> {
    return this.#control.query<RegionRow>(all, []);
  }
}
