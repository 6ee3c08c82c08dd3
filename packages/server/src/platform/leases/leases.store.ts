/** SQL for leases. Live streams used them first, hence the table's name. */
import { type Database, type Queryable, statement } from '../db/database.ts';

const take = statement(
  'live-lease-take',
  `INSERT INTO region.live_leases AS l (name, owner, taken_at, leased_until)
   VALUES ($1, $2, clock_timestamp(), clock_timestamp() + $3 * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, taken_at = excluded.taken_at,
     leased_until = excluded.leased_until
   WHERE l.leased_until < clock_timestamp()
   RETURNING taken_at`,
);
const renew = statement(
  'live-lease-renew',
  `UPDATE region.live_leases SET leased_until = clock_timestamp() + $3 * interval '1 millisecond'
   WHERE name = $1 AND owner = $2 RETURNING name`,
);
const hold = statement(
  'live-lease-hold',
  'SELECT name FROM region.live_leases WHERE name = $1 AND owner = $2 FOR SHARE',
);
const release = statement(
  'live-lease-release',
  'UPDATE region.live_leases SET leased_until = clock_timestamp() WHERE name = $1 AND owner = $2',
);

export class LeaseStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Since when this owner has it; undefined if another has it. */
  async take(name: string, owner: string, leaseMs: number): Promise<Date | undefined> {
    return (await this.#region.query<{ taken_at: Date }>(take, [name, owner, leaseMs]))[0]?.taken_at;
  }

  async renew(name: string, owner: string, leaseMs: number): Promise<boolean> {
    return (await this.#region.query(renew, [name, owner, leaseMs])).length === 1;
  }

  /** Locks its row until the transaction ends, so that nobody else takes the lease until then. */
  async hold(on: Queryable, name: string, owner: string): Promise<boolean> {
    return (await on.query(hold, [name, owner])).length === 1;
  }

  async release(name: string, owner: string): Promise<void> {
    await this.#region.query(release, [name, owner]);
  }
}
