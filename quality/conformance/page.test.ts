import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsInSource, namesInTests } from './naming.ts';
import { page } from './page.ts';
import type { Statement } from './statement.ts';
import { allStatements } from './statements/index.ts';

const root = join(import.meta.dirname, '../..');

const statements: Statement[] = [
  {
    id: 'fetch-01',
    text: 'POST /fetch/<EncodedURL> with `a|<b>` answers 200',
    from: 'interface',
    where: 'Endpoints 1',
    subject: 'fetch',
    milestone: 'objects',
  },
  {
    id: 'fetch-rule-01',
    text: 'An existing key is overwritten',
    from: 'decision',
    where: 'fetch',
    subject: 'fetch',
    milestone: 'objects',
  },
];

test('the page has a table per subject, with files and cells that survive Markdown', () => {
  const files = new Set(['quality/acceptance/a_b.test.ts', 'packages/x.test.ts']);
  const lines = page(statements, new Map([['fetch-01', files]])).split('\n');
  expect(lines).toContain('## fetch');
  expect(lines).not.toContain('## live');
  expect(lines).toContain('2 statements, 1 with tests.');
  expect(lines).toContain(
    '| fetch-01 | POST /fetch/&lt;EncodedURL> with `a\\|<b>` answers 200 | Endpoints 1 | `quality/acceptance/a_b.test.ts` |',
  );
  expect(lines).toContain(
    '| fetch-rule-01 | An existing key is overwritten | decision: fetch | not yet (objects) |',
  );
});

test('a test names statements at the end of its title, or in a case of its table', () => {
  const text = `test('does it [form-03 G7]', …); test.each([['a', 'pfop-07']])('%s [%s]'); const x = list['G8x']; // [form-04]`;
  expect(idsInSource(text)).toEqual(['form-03', 'G7', 'pfop-07']);
});

test('docs/reference/conformance.md has every statement as it is, and the tests that name it', async () => {
  const written = await readFile(join(root, 'docs/reference/conformance.md'), 'utf8');
  const made = page(allStatements, await namesInTests(root));
  // Compared by lines: the difference is then those that are stale.
  expect(written.split('\n'), 'run `npm run conformance -- --page`').toEqual(made.split('\n'));
});
