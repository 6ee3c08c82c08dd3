/**
 * Stands in for the tasks and streams whose events are sent: adds events to a region as the service does, with the
 * database function that adds them in the transaction of their cause.
 */
import { randomFillSync } from 'node:crypto';
import pg from 'pg';

export interface TestEvent {
  readonly uid: number;
  readonly url: string;
  readonly body?: string;
  readonly kind?: 'notification' | 'live';
  /** The key that made the request; default: the account's oldest enabled root key signs. */
  readonly accessKey?: string;
  /** The id of a configured endpoint; default: the URL's origin is the endpoint. */
  readonly endpoint?: string;
  readonly entity?: string;
}

export interface AddedTestEvent {
  readonly id: string;
  readonly sequence: number;
}

export interface EventProducer {
  add(event: TestEvent): Promise<AddedTestEvent>;
  /** All in one transaction, which is rolled back if `fails` is set. */
  addAll(events: readonly TestEvent[], options?: { fails?: boolean }): Promise<AddedTestEvent[]>;
  /** As if everything waiting had been added this many seconds earlier. */
  passSeconds(seconds: number): Promise<void>;
  /** How many a sender has taken and not settled. */
  leased(): Promise<number>;
  close(): Promise<void>;
}

const ADD = 'SELECT region.add_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS sequence';

export function openEventProducer(regionUrl: string): EventProducer {
  const pool = new pg.Pool({
    connectionString: regionUrl,
    max: 8,
  });
  // A fault run kills the database while this is running.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const insert = async (client: pg.PoolClient | pg.Pool, event: TestEvent): Promise<AddedTestEvent> => {
    const id = timeOrderedId();
    const values = [
      id,
      event.kind ?? 'live',
      event.uid,
      event.accessKey ?? null,
      event.endpoint !== undefined,
      event.endpoint ?? new URL(event.url).origin,
      event.url,
      'application/json',
      Buffer.from(event.body ?? '{}'),
      event.entity ?? null,
      'test',
      'test',
    ];
    const { rows } = await client.query<{ sequence: string }>({ name: 'add', text: ADD, values });
    return { id, sequence: Number(rows[0]?.sequence) };
  };
  return {
    add: (event) => insert(pool, event),
    async addAll(events, { fails = false } = {}) {
      const client = await pool.connect();
      const added: AddedTestEvent[] = [];
      try {
        await client.query('BEGIN');
        for (const event of events) added.push(await insert(client, event));
        await client.query(fails ? 'ROLLBACK' : 'COMMIT');
        client.release();
        return added;
      } catch (error) {
        client.release(true);
        // For callers that must know which event it may have been.
        throw Object.assign(error as Error, { eventId: added[0]?.id });
      }
    },
    async passSeconds(seconds) {
      await pool.query('UPDATE region.delivery_queue SET began_at = began_at - make_interval(secs => $1)', [
        seconds,
      ]);
    },
    async leased() {
      const { rows } = await pool.query<{ count: string }>(
        `SELECT count(*) FROM region.delivery_queue WHERE state = 'leased'`,
      );
      return Number(rows[0]?.count);
    },
    close: () => pool.end(),
  };
}

const bytes = Buffer.alloc(16);

/** UUID v7. */
export function timeOrderedId(): string {
  randomFillSync(bytes);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
