/** SQL of webhook secrets. They are sealed before they come here. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface WebhookSecretRow {
  readonly uid: bigint;
  readonly sealed_secret: Buffer;
  readonly master_key: string;
}

const valid = statement(
  'webhook-secrets-valid',
  `SELECT uid, sealed_secret, master_key FROM control.webhook_secrets
   WHERE uid = $1 AND (retires_at IS NULL OR retires_at > now()) ORDER BY secret_id DESC LIMIT 2`,
);
const insertFirst = statement(
  'webhook-secret-insert-first',
  `INSERT INTO control.webhook_secrets (uid, sealed_secret, master_key) VALUES ($1, $2, $3)
   ON CONFLICT (uid) WHERE retires_at IS NULL DO NOTHING`,
);

export class WebhookSecretStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Newest first. */
  valid(uid: bigint): Promise<WebhookSecretRow[]> {
    return this.#control.query<WebhookSecretRow>(valid, [uid]);
  }

  /** Does nothing where there is one already. */
  async insertFirst(row: WebhookSecretRow): Promise<void> {
    await this.#control.query(insertFirst, [row.uid, row.sealed_secret, row.master_key]);
  }
}
