/** The rows of the table: what users do with an SDK. */
const rows = {
  form: 'form upload',
  'older form': 'form upload as before 2013 (`/upload`)',
  base64: 'upload as Base64 text',
  blocks: 'resumable upload, older form (blocks)',
  parts: 'resumable upload, v2 (parts)',
  answers: 'callbacks, `returnBody`',
  verification: 'verification of callbacks',
  persistentOps: 'an upload that starts a task',
  pfop: 'pfop, prefop',
  stat: 'stat, delete',
  copy: 'copy, move',
  classes: 'storage classes, restore, days to live',
  list: 'lists, batch',
  fetch: 'fetch',
  private: 'private download URLs',
  creation: 'creating buckets',
  buckets: 'lists and facts of buckets',
  regions: 'region query',
} as const;

type Row = keyof typeof rows;

export interface CallOutcome {
  readonly row: Row;
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export interface SdkOutcome {
  readonly sdk: string;
  readonly version: string;
  readonly calls: readonly CallOutcome[];
  /** Why the program ended early, if it did. */
  readonly broken?: string;
}

/** What a program printed. Lines that are not JSON are the SDK's own. */
export function readOutcome(sdk: string, output: string): SdkOutcome {
  const lines = output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    return [JSON.parse(line) as { version?: string; done?: true } & Partial<CallOutcome>];
  });
  if (!lines.some((line) => line.done === true))
    throw new Error(`the program of ${sdk} did not reach its end`);
  const version = lines.find((line) => line.version !== undefined)?.version ?? 'unknown';
  const calls = lines.filter((line): line is CallOutcome => line.row !== undefined);
  const stray = calls.find(({ row }) => !Object.hasOwn(rows, row));
  if (stray !== undefined)
    throw new Error(`the program of ${sdk} names a row that is not in the table: ${stray.row}`);
  return { sdk, version, calls };
}

/** In Markdown: a column for each SDK; `–` where it has no such call. */
export function tableText(outcomes: readonly SdkOutcome[]): string {
  const used = (Object.keys(rows) as Row[]).filter((row) =>
    outcomes.some(({ calls }) => calls.some((call) => call.row === row)),
  );
  const cells = [
    ['call', ...outcomes.map(({ sdk, version }) => `${sdk} ${version}`)],
    ...used.map((row) => [rows[row], ...outcomes.map((outcome) => cell(outcome, row))]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => (line[column] ?? '').length)),
  );
  const text = (line: readonly string[], fill = ' ') =>
    `| ${line.map((value, column) => value.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [
    text(head),
    text(
      head.map(() => ''),
      '-',
    ),
    ...body.map((line) => text(line)),
  ].join('\n');
}

function cell({ calls }: SdkOutcome, row: Row): string {
  const made = calls.filter((call) => call.row === row);
  if (made.length === 0) return '–';
  const failed = made.filter(({ passed }) => !passed).length;
  return failed === 0 ? '✓' : `✗ (${failed} of ${made.length})`;
}
