/** The bare loop and its table. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { timeOrderedId } from '@millpond/testing';
import pg from 'pg';
import type { Producer } from './producer.ts';

export interface Bare extends Producer {
  stop(): Promise<void>;
}

const BODY = Buffer.from(JSON.stringify({ type: 'stream', nsId: 'bench', note: 'x'.repeat(300) }));

export async function startBare(regionDb: string): Promise<Bare> {
  const pool = new pg.Pool({ connectionString: regionDb, max: 4 });
  await pool.query(
    `CREATE TABLE bare_queue (id uuid PRIMARY KEY, url text, body bytea, state text DEFAULT 'waiting')`,
  );
  await pool.query(`CREATE INDEX ON bare_queue (id) WHERE state = 'waiting'`);
  const child = fork(path.join(import.meta.dirname, 'bare-process.ts'), [regionDb]);
  return {
    async add(urls) {
      const ids = urls.map(() => timeOrderedId());
      await pool.query({
        name: 'bare-add',
        text: `INSERT INTO bare_queue (id, url, body) SELECT id, url, $2 FROM unnest($1::uuid[], $3::text[]) AS e (id, url)`,
        values: [ids, BODY, urls],
      });
      return ids;
    },
    close: () => pool.end(),
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await pool.end();
    },
  };
}
