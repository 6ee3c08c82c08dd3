/**
 * Lists of what was done and what failed: one line each, separated by tabs, so that a list of failures can be fed back with
 * `--from`. A tab, line end or percent sign in a name is percent-encoded.
 */
import { appendFileSync, createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export function formatFields(fields: readonly string[]): string {
  return `${fields.map((field) => field.replace(/[%\t\r\n]/g, encoded)).join('\t')}\n`;
}

export function parseFields(line: string): string[] {
  return line
    .split('\t')
    .map((field) =>
      field.replace(/%(25|09|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
}

/** The fields of each line; `-` is standard input. Empty lines are skipped. */
export async function* readLines(file: string): AsyncGenerator<string[]> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield parseFields(line);
}

/** Each line is written as soon as it is known, so that a killed command has reported what it did. */
export interface ListWriter {
  add(fields: readonly string[]): void;
}

export function listWriter(file: string | undefined): ListWriter {
  if (file === undefined) return { add: () => undefined };
  writeFileSync(file, '');
  return { add: (fields) => appendFileSync(file, formatFields(fields)) };
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
