/** Our lists of the suite's tests: names only, none of its text. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of the suite that are about objects and buckets; the others are of services that S3 is not. */
export const FILES = ['s3tests/functional/test_headers.py', 's3tests/functional/test_s3.py'];

export interface Lists {
  /** What must pass. */
  readonly expected: ReadonlySet<string>;
  /** What passes too. */
  readonly further: ReadonlySet<string>;
  /** What can't pass, with the reason. */
  readonly reasons: ReadonlyMap<string, string>;
}

export function readLists(): Lists {
  const text = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8');
  return {
    expected: new Set(parseList(text('expected.txt')).keys()),
    further: new Set(parseList(text('further.txt')).keys()),
    reasons: parseList(text('not-expected.txt')),
  };
}

/** One test a line, under a line `# reason` that holds for all up to the next such line. */
export function parseList(text: string): Map<string, string> {
  const tests = new Map<string, string>();
  let reason = '';
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('#')) reason = line.slice(1).trim();
    else if (line !== '') tests.set(line, reason);
  }
  return tests;
}
