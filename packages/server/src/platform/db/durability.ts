/** How safe a commit is once it is answered, by the settings of the server. */
import { type Queryable, statement } from './database.ts';

export interface Durability {
  /** Whether a commit is answered only when it is on disk. */
  readonly waitsForDisk: boolean;
  /** Whether it is answered only when a standby has it too. */
  readonly waitsForStandby: boolean;
  /** Whether the database is deleted when its server stops: `millpond dev` says so of its own. */
  readonly isDiscarded: boolean;
}

const read = statement(
  'read-durability',
  `SELECT current_setting('synchronous_commit') <> 'off' AS "waitsForDisk",
     current_setting('synchronous_standby_names') <> ''
       AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS "waitsForStandby",
     coalesce(current_setting('millpond.is_discarded', true) = 'on', false) AS "isDiscarded"`,
);

export async function readDurability(database: Queryable): Promise<Durability> {
  const [row] = await database.query<Durability>(read, []);
  return row ?? { waitsForDisk: true, waitsForStandby: false, isDiscarded: false };
}
