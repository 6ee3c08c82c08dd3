import { expect, test } from 'vitest';
import { coverage } from './coverage.ts';
import { page } from './page.ts';
import type { Statement } from './statement.ts';

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

test('the page has a table per subject, with titles, states and cells that survive Markdown', () => {
  const shown = coverage(statements, {
    tests: [{ file: 'acceptance/a.test.ts', title: 'stores | it', ids: ['fetch-01'], outcome: 'passed' }],
    brokenFiles: [],
  });
  const lines = page(shown).split('\n');
  expect(lines).toContain('## fetch');
  expect(lines).not.toContain('## live');
  expect(lines).toContain('2 statements, 1 covered, 1 passing.');
  expect(lines).toContain(
    '| fetch-01 | POST /fetch/&lt;EncodedURL> with `a\\|<b>` answers 200 | Endpoints 1 | stores \\| it | passing |',
  );
  expect(lines).toContain(
    '| fetch-rule-01 | An existing key is overwritten | decision: fetch |  | not yet (objects) |',
  );
});
