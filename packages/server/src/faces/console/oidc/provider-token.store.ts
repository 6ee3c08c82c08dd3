/** SQL of what the provider is asked with about a session. One process asks at a time, and after a failure nobody does for a while. */
import { type Database, statement } from '../../../platform/db/database.ts';

interface SealedTokens {
  readonly sealed_tokens: Buffer;
  readonly master_key: string;
}

/** `done`: somebody has just asked. `gone`: there is nothing to ask with. */
export type AskingTurn = SealedTokens | 'done' | 'asking' | 'resting' | 'gone';

const ASKING = "interval '30 seconds'";

const add = statement(
  'provider-tokens-add',
  `INSERT INTO control.session_provider_tokens (session_id, sealed_tokens, master_key)
   VALUES ($1, $2, $3) RETURNING session_id`,
);
const take = statement(
  'provider-tokens-take',
  `UPDATE control.session_provider_tokens t SET asking_until = now() + ${ASKING}
   FROM control.sessions s
   WHERE t.session_id = $1 AND s.session_id = $1 AND t.ask_at <= now()
     AND s.confirmed_at < now() - $2::float8 * interval '1 millisecond'
     AND (t.asking_until IS NULL OR t.asking_until < now())
   RETURNING t.sealed_tokens, t.master_key`,
);
const look = statement(
  'provider-tokens-look',
  `SELECT CASE WHEN s.confirmed_at >= now() - $2::float8 * interval '1 millisecond' THEN 'done'
               WHEN t.asking_until >= now() THEN 'asking' ELSE 'resting' END AS turn
   FROM control.session_provider_tokens t JOIN control.sessions s USING (session_id) WHERE t.session_id = $1`,
);
const confirm = statement(
  'provider-tokens-confirm',
  `WITH tokens AS (
     UPDATE control.session_provider_tokens SET sealed_tokens = $2, master_key = $3, asking_until = NULL
     WHERE session_id = $1 RETURNING session_id
   )
   UPDATE control.sessions SET confirmed_at = now() WHERE session_id IN (SELECT session_id FROM tokens)
   RETURNING session_id`,
);
const rest = statement(
  'provider-tokens-rest',
  `UPDATE control.session_provider_tokens
   SET asking_until = NULL, ask_at = now() + $2::float8 * interval '1 millisecond'
   WHERE session_id = $1 RETURNING session_id`,
);

export class ProviderTokenStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  async add(sessionId: string, sealed: Buffer, masterKey: string): Promise<void> {
    await this.#control.query(add, [sessionId, sealed, masterKey]);
  }

  /** The tokens, for whoever's turn it is to ask; otherwise how it stands. */
  async take(sessionId: string, everyMs: number): Promise<AskingTurn> {
    const [mine] = await this.#control.query<SealedTokens>(take, [sessionId, everyMs]);
    if (mine !== undefined) return mine;
    const [row] = await this.#control.query<{ turn: 'done' | 'asking' | 'resting' }>(look, [
      sessionId,
      everyMs,
    ]);
    return row?.turn ?? 'gone';
  }

  async confirm(sessionId: string, sealed: Buffer, masterKey: string): Promise<void> {
    await this.#control.query(confirm, [sessionId, sealed, masterKey]);
  }

  async rest(sessionId: string, restMs: number): Promise<void> {
    await this.#control.query(rest, [sessionId, restMs]);
  }
}
