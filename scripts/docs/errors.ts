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

const OBJECTS = `Object, upload, download and processing calls answer \`{"error": "<text>"}\`. There may also be a \`hint\`,
which says what was wrong with this request; programs should compare \`error\` only, and people should read both.
Statuses above 599 are part of the interface: a proxy in front must pass them on as they are.
\`code\` is the word that errors of the [client library](../sdk.md#errors) have; it is not sent.`;

const OTHERS = `Two statuses are not refusals, and have their own bodies:`;

/** Answers that are built where they are given, without a fault for them. */
const OTHER_ROWS = [
  [
    '298',
    '',
    'some operations of a [batch](../objects.md#batch) failed: the body is that of a 200, and each operation has its `code`',
  ],
  [
    '579',
    code('callbackFailed'),
    'the callback of an upload failed: `error` is a string that holds JSON, see [uploads](../uploads.md#callbacks). The object is stored, unless its policy has `callbackFetchKey`',
  ],
];

const ACCOUNTS = `Account and token calls answer \`{"error": "<word>", "error_code": <number>, "error_description": "<text>"}\`
and \`Cache-Control: no-store\`. The description may be followed by a colon and what was wrong with this request.`;

const ALWAYS = `Every answer, success or error, has \`X-Reqid\`: include it when you report a problem. 599 is always a fault of the
server and may be tried again; 573 says in \`Retry-After\` when.`;

export function errorsPage({ objects, accounts }: ErrorTables): string {
  const byStatus = Object.entries(objects).toSorted(([, one], [, other]) => one.status - other.status);
  return page('Errors', 'packages/protocol/src/errors', [
    ALWAYS,
    '## Object, upload, download and processing calls',
    OBJECTS,
    table(
      ['status', 'error', 'code'],
      byStatus.map(([name, { status, text }]) => [String(status), code(text), code(name)]),
    ),
    OTHERS,
    table(['status', 'code', 'what it is'], OTHER_ROWS),
    '## Account and token calls',
    ACCOUNTS,
    table(
      ['status', 'error_code', 'error', 'error_description', 'code'],
      Object.entries(accounts).map(([name, row]) => [
        String(row.status),
        String(row.code),
        code(row.error),
        row.text,
        code(name),
      ]),
    ),
  ]);
}
