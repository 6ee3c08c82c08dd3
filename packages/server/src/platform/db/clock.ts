/** The database's clock compared with ours: times of the interface are judged by the database's. */
import { openClient } from './client.ts';

const RESPONSE_TIMEOUT_MS = 5000;

/** Milliseconds by which it is ahead of ours. Also shows whether the database can be reached. */
export async function databaseClockAhead(url: string): Promise<number> {
  const client = await openClient(url, {
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    application_name: 'millpond doctor',
  });
  try {
    const before = Date.now();
    const { rows } = await client.query<{ at: string }>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at',
    );
    return Number(rows[0]?.at) - (before + Date.now()) / 2;
  } finally {
    await client.end();
  }
}
