import { escapeForTerminal } from './remote/text.ts';

/** Results for people, or (with `--json`) for programs: one JSON object per line. */
export function print(options: { json?: boolean }, result: object, text: string): void {
  process.stdout.write(`${options.json ? jsonText(result) : text}\n`);
}

export type Row = Readonly<Record<string, string | number | boolean | bigint | Date | null | undefined>>;

/**
 * A table headed by the rows' field names; only the head if there are no rows. Whatever a row contains, it stays on one
 * line and moves no cursor.
 */
export function printRows(
  options: { json?: boolean },
  rows: readonly Row[],
  columns: readonly string[],
): void {
  if (options.json) {
    for (const row of rows) process.stdout.write(`${jsonText(row)}\n`);
    return;
  }
  const cells = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cell(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  for (const line of cells) {
    process.stdout.write(
      `${line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

/** Shell lines for `eval "$(…)"`. */
export function exportLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n');
}

function cell(value: Row[string]): string {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : escapeForTerminal(String(value));
}

/**
 * JSON for programs, on one line. An integer that a JSON number can't hold exactly, such as the time of an object,
 * becomes text: many programs would silently round it.
 */
export function jsonText(value: object): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? (isExact(each) ? Number(each) : String(each)) : each,
  );
}

function isExact(value: bigint): boolean {
  return Number.isSafeInteger(Number(value));
}
