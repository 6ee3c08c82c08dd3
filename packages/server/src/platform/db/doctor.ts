/** What `millpond doctor` asks of a database: its clock, how safe its commits are, and how it holds text. */
import { openClient } from './client.ts';
import { type Queryable, statement } from './database.ts';

const RESPONSE_TIMEOUT_MS = 5000;

/**
 * Milliseconds by which its clock is ahead of ours: times of the interface are judged by the database's. Also shows whether the
 * database can be reached.
 */
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

/** How safe a commit is once it is answered, by the settings of the server. */
export interface Durability {
  /** Whether a commit is answered only when it is on disk. */
  readonly waitsForDisk: boolean;
  /** Whether it is answered only when a standby has it too. */
  readonly waitsForStandby: boolean;
  /** Whether the database is deleted when its server stops: `millpond dev` says so of its own. */
  readonly isDiscarded: boolean;
}

const durability = statement(
  'read-durability',
  `SELECT current_setting('synchronous_commit') <> 'off' AS "waitsForDisk",
     current_setting('synchronous_standby_names') <> ''
       AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS "waitsForStandby",
     coalesce(current_setting('millpond.is_discarded', true) = 'on', false) AS "isDiscarded"`,
);

export async function readDurability(database: Queryable): Promise<Durability> {
  const [row] = await database.query<Durability>(durability, []);
  return row ?? { waitsForDisk: true, waitsForStandby: false, isDiscarded: false };
}

/** How the database holds text, and which letters its `lower` knows. */
export interface Locale {
  readonly encoding: string;
  /** LC_CTYPE, as the database was created with. */
  readonly ctype: string;
  /** Whether `lower` knows letters of other scripts than ASCII. */
  readonly knowsLetters: boolean;
}

const locale = statement(
  'read-locale',
  `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype FROM pg_database WHERE datname = current_database()`,
);
// Asked rather than concluded: a provider other than libc has a locale of its own.
const localeLetters = statement('read-locale-letters', `SELECT lower('É') = 'é' AS "knowsLetters"`);

export async function readLocale(database: Queryable): Promise<Locale> {
  const [row = { encoding: '', ctype: '' }] = await database.query<Omit<Locale, 'knowsLetters'>>(locale, []);
  // Another encoding may not have the letter.
  if (row.encoding !== 'UTF8') return { ...row, knowsLetters: false };
  const [letters] = await database.query<Pick<Locale, 'knowsLetters'>>(localeLetters, []);
  return { ...row, knowsLetters: letters?.knowsLetters ?? false };
}
