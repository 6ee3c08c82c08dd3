/** SQL of the devices' sealed passwords, for a rotation of the master key. */
import { type Database, statement } from '../../platform/db/database.ts';
import type { SealedSecret } from '../../platform/secrets/sealer.ts';

export interface PasswordRow {
  readonly device_id: bigint;
  readonly ns_id: string;
  readonly gbid: string;
  readonly sealed_password: Buffer;
  readonly master_key: string;
}

const underOtherMasters = statement(
  'device-under-other-masters',
  `SELECT device_id, ns_id, gbid, sealed_password, master_key FROM region.devices
   WHERE master_key <> $1 LIMIT $2`,
);
// Compares the old bytes, so that a concurrent change of the password is not undone.
const rewrap = statement(
  'device-rewrap',
  `UPDATE region.devices d SET sealed_password = n.sealed, master_key = n.master
   FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[]) AS n (device_id, old, sealed, master)
   WHERE d.device_id = n.device_id AND d.sealed_password = n.old RETURNING d.device_id`,
);

export class PasswordStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  underOtherMasters(masterKey: string, most: number): Promise<PasswordRow[]> {
    return this.#region.query<PasswordRow>(underOtherMasters, [masterKey, most]);
  }

  async rewrap(rows: readonly PasswordRow[], sealed: readonly SealedSecret[]): Promise<number> {
    const values = [
      rows.map((row) => row.device_id),
      rows.map((row) => row.sealed_password),
      sealed.map(({ bytes }) => bytes),
      sealed.map(({ masterKey }) => masterKey),
    ];
    return (await this.#region.query(rewrap, values)).length;
  }
}
