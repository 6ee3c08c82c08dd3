/** The page of errors, from the two tables of the protocol. */
import { code, page, table } from './markdown.ts';

export interface ErrorTables {
  readonly objects: Readonly<Record<string, { readonly status: number; readonly text: string }>>;
  readonly accounts: Readonly<
    Record<
      string,
      { readonly status: number; readonly code: number; readonly error: string; readonly text: string }
    >
  >;
}

const OBJECTS = `Object, upload, download and processing calls answer \`{"error": "<text>"}\`. Beside it there may be a \`hint\`,
which says what was wrong with this request; programs should compare \`error\` only, and people should read both.
Statuses above 599 are part of the interface: a proxy in front must pass them on as they are.`;

const ACCOUNTS = `Account and token calls answer \`{"error": "<word>", "error_code": <number>, "error_description": "<text>"}\`
and \`Cache-Control: no-store\`. The description may be followed by a colon and what was wrong with this request.`;

const ALWAYS = `Every answer, good or bad, carries \`X-Reqid\`: name it when you report a fault. 599 is always a fault of the
server and may be tried again; 573 says in \`Retry-After\` when.`;

export function errorsPage({ objects, accounts }: ErrorTables): string {
  const byStatus = Object.values(objects).toSorted((one, other) => one.status - other.status);
  return page('Errors', 'packages/protocol/src/errors', [
    ALWAYS,
    '## Object, upload, download and processing calls',
    OBJECTS,
    table(
      ['status', 'error'],
      byStatus.map(({ status, text }) => [String(status), code(text)]),
    ),
    '## Account and token calls',
    ACCOUNTS,
    table(
      ['status', 'error_code', 'error', 'error_description'],
      Object.values(accounts).map((row) => [String(row.status), String(row.code), code(row.error), row.text]),
    ),
  ]);
}
