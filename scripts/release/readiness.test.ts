import { expect, test } from 'vitest';
import { assertNotReleased, refusals } from './readiness.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-20\n\n- second\n';
const READY = {
  version: '0.2.0',
  changelog: CHANGELOG,
  changed: '',
  hasTag: false,
  node: '26.9.0',
  pinnedNode: '26.9.0',
};
const unreleased = CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- third\n');

test('a clean checkout of a version with its section is ready, also one before the version', () => {
  expect(refusals(READY)).toEqual([]);
  const early = CHANGELOG.replace('0.2.0', '0.2.0-rc.1');
  expect(refusals({ ...READY, version: '0.2.0-rc.1', changelog: early })).toEqual([]);
});

test.each([
  [{ changed: ' M README.md' }, 'not committed:\n M README.md'],
  [{ hasTag: true }, 'v0.2.0 is a tag already'],
  [{ changelog: unreleased }, 'changes under [Unreleased]: move them to [0.2.0]'],
  [{ changelog: '## [Unreleased]\n' }, 'no section "## [0.2.0] - <date>"'],
  [{ node: '24.1.0' }, 'Node 24.1.0 runs this, and not 26.9.0'],
])('%j is refused', (change, why) => {
  expect(refusals({ ...READY, ...change })).toEqual([expect.stringContaining(why)]);
});

test('a version in development is none, and is told which one it becomes', () => {
  const found = refusals({ ...READY, version: '0.3.0-dev' });
  expect(found).toContain('0.3.0-dev is a version in development: npm run release -- --set-version 0.3.0');
});

test('a version that is out keeps its name to itself', () => {
  expect(() => assertNotReleased(unreleased, '0.2.0')).toThrow('0.2.0 is released');
  expect(() => assertNotReleased(unreleased, '0.3.0-dev')).not.toThrow();
  expect(() => assertNotReleased(CHANGELOG, '0.2.0')).not.toThrow();
});
