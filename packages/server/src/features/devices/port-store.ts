/** SQL of SIP ports: who owns one. Time is the database's. */
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';

const claim = statement(
  'sip-port-claim',
  `INSERT INTO region.sip_ports AS p (name, fence, until) VALUES ($1, 1, now() + $2 * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET fence = p.fence + 1, until = excluded.until WHERE p.until < now()
   RETURNING fence`,
);
const renew = statement(
  'sip-port-renew',
  `UPDATE region.sip_ports SET until = now() + $3 * interval '1 millisecond' WHERE name = $1 AND fence = $2
   RETURNING fence`,
);
const release = statement(
  'sip-port-release',
  `UPDATE region.sip_ports SET until = now() - interval '1 millisecond' WHERE name = $1 AND fence = $2`,
);
// Whoever claims the port waits for those who hold its row so.
const hold = statement(
  'sip-port-hold',
  'SELECT now() AS now FROM region.sip_ports WHERE name = $1 AND fence = $2 FOR SHARE',
);

export interface OwnedPort {
  readonly name: string;
  readonly fence: bigint;
}

export class PortStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined while another owns it. */
  async claim(name: string, leaseMs: number): Promise<OwnedPort | undefined> {
    const [row] = await this.#region.query<{ fence: bigint }>(claim, [name, leaseMs]);
    return row && { name, fence: row.fence };
  }

  /** False: another owns it now. */
  async renew({ name, fence }: OwnedPort, leaseMs: number): Promise<boolean> {
    return (await this.#region.query(renew, [name, fence, leaseMs])).length === 1;
  }

  async release({ name, fence }: OwnedPort): Promise<void> {
    await this.#region.query(release, [name, fence]);
  }

  /** The time, where the port is still ours; it stays so until the transaction ends. */
  async hold(on: Queryable, { name, fence }: OwnedPort): Promise<Date | undefined> {
    return (await on.query<{ now: Date }>(hold, [name, fence]))[0]?.now;
  }
}
