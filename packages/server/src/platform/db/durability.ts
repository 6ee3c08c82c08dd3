/** How safe a commit is once it is answered, by the settings of the server. */
import { type Queryable, statement } from './database.ts';

export interface Durability {
  /** Whether a commit is answered only when it is on disk. */
  readonly waitsForDisk: boolean;
  /** Whether it is answered only when a standby has it too. */
  readonly waitsForStandby: boolean;
}

const read = statement(
  'read-durability',
  `SELECT current_setting('synchronous_commit') <> 'off' AS "waitsForDisk",
     current_setting('synchronous_standby_names') <> ''
       AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS "waitsForStandby"`,
);

export async function readDurability(database: Queryable): Promise<Durability> {
  const [row] = await database.query<Durability>(read, []);
  return row ?? { waitsForDisk: true, waitsForStandby: false };
}
