/** SQL of webhook secrets. They are sealed before they come here. */
import { type Database, statement } from '../../../platform/db/database.ts';

export interface StoredWebhookSecret extends WebhookSecretRow {
  readonly secret_id: bigint;
}

export interface ValidWebhookSecret extends StoredWebhookSecret {
  readonly created_at: Date;
  /** When it ends; null for the current one. */
  readonly retires_at: Date | null;
}

export interface WebhookSecretRow {
  readonly uid: bigint;
  readonly sealed_secret: Buffer;
  readonly master_key: string;
}

const valid = statement(
  'webhook-secrets-valid',
  `SELECT secret_id, uid, sealed_secret, master_key, created_at, retires_at FROM control.webhook_secrets
   WHERE uid = $1 AND (retires_at IS NULL OR retires_at > now()) ORDER BY secret_id DESC LIMIT 2`,
);
const insertFirst = statement(
  'webhook-secret-insert-first',
  `INSERT INTO control.webhook_secrets (uid, sealed_secret, master_key) VALUES ($1, $2, $3)
   ON CONFLICT (uid) WHERE retires_at IS NULL DO NOTHING`,
);
const retire = statement(
  'webhook-secret-retire',
  `UPDATE control.webhook_secrets SET retires_at = now() + $2 * interval '1 millisecond'
   WHERE uid = $1 AND retires_at IS NULL`,
);
const underOtherMasters = statement(
  'webhook-secret-under-other-masters',
  `SELECT secret_id, uid, sealed_secret, master_key FROM control.webhook_secrets WHERE master_key <> $1 LIMIT $2`,
);
// Compares the old wrapping, so that two concurrent rotations don't undo each other.
const rewrap = statement(
  'webhook-secret-rewrap',
  `UPDATE control.webhook_secrets s SET sealed_secret = n.sealed, master_key = $4
   FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS n (secret_id, sealed, old_master)
   WHERE s.secret_id = n.secret_id AND s.master_key = n.old_master
   RETURNING s.secret_id`,
);

export class WebhookSecretStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Newest first. */
  valid(uid: bigint): Promise<ValidWebhookSecret[]> {
    return this.#control.query<ValidWebhookSecret>(valid, [uid]);
  }

  /** Does nothing if there already is one. */
  async insertFirst(row: WebhookSecretRow): Promise<void> {
    await this.#control.query(insertFirst, [row.uid, row.sealed_secret, row.master_key]);
  }

  /** Replaces the current secret, which stays valid for `keepOldMs`. */
  async replace(row: WebhookSecretRow, keepOldMs: number): Promise<void> {
    await this.#control.transaction(async (transaction) => {
      await transaction.query(retire, [row.uid, keepOldMs]);
      await transaction.query(insertFirst, [row.uid, row.sealed_secret, row.master_key]);
    });
  }

  notUnder(masterKey: string, most: number): Promise<StoredWebhookSecret[]> {
    return this.#control.query<StoredWebhookSecret>(underOtherMasters, [masterKey, most]);
  }

  async rewrap(
    rows: readonly StoredWebhookSecret[],
    sealed: readonly Buffer[],
    masterKey: string,
  ): Promise<number> {
    const [ids, masters] = [rows.map((row) => row.secret_id), rows.map((row) => row.master_key)];
    return (await this.#control.query(rewrap, [ids, sealed, masters, masterKey])).length;
  }
}
