/** How the database holds text, and which letters its `lower` knows. */
import { type Queryable, statement } from './database.ts';

export interface Locale {
  readonly encoding: string;
  /** LC_CTYPE, as the database was created with. */
  readonly ctype: string;
  /** Whether `lower` knows letters of other scripts than ASCII. */
  readonly knowsLetters: boolean;
}

const read = statement(
  'read-locale',
  `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype FROM pg_database WHERE datname = current_database()`,
);
// Asked rather than concluded: a provider other than libc has a locale of its own.
const knows = statement('read-locale-letters', `SELECT lower('É') = 'é' AS "knowsLetters"`);

export async function readLocale(database: Queryable): Promise<Locale> {
  const [row = { encoding: '', ctype: '' }] = await database.query<Omit<Locale, 'knowsLetters'>>(read, []);
  // Another encoding may not have the letter.
  if (row.encoding !== 'UTF8') return { ...row, knowsLetters: false };
  const [letters] = await database.query<Pick<Locale, 'knowsLetters'>>(knows, []);
  return { ...row, knowsLetters: letters?.knowsLetters ?? false };
}
