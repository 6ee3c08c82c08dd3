/** Stands in for the tasks and streams whose events are sent: adds them with the function that the service itself calls. */
import { timeOrderedId } from '@millpond/testing';
import pg from 'pg';

/** As large as a status record or a live event. */
const BODY = Buffer.from(JSON.stringify({ type: 'stream', nsId: 'bench', note: 'x'.repeat(300) }));

const ADD = `
SELECT region.add_delivery(e.id, 'live', $2, NULL, true, e.url, e.url || '/events', 'application/json', $3,
                           NULL, 'bench', 'bench')
FROM unnest($1::uuid[], $4::text[]) AS e (id, url)`;

export interface Producer {
  /** One event for each of these receivers, in one transaction. Returns their ids, in order. */
  add(urls: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

export function createProducer(regionDb: string, uid: number, connections = 4): Producer {
  const pool = new pg.Pool({ connectionString: regionDb, max: connections });
  return {
    async add(urls) {
      const ids = urls.map(() => timeOrderedId());
      await pool.query({ name: 'bench-add', text: ADD, values: [ids, uid, BODY, urls] });
      return ids;
    },
    close: () => pool.end(),
  };
}
