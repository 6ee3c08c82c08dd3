// @module-tag root
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkoutRoot } from './src/places.ts';
import { attempt } from './src/run.ts';

// This machine's own system stands for another one.
test('a command sees its system, the checkout, and engines of its own; the machine sees nothing of that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millpond-engines-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, 'tree');
  const engines = join(folder, 'engines');
  for (const each of [tree, engines]) mkdirSync(each);
  writeFileSync(join(engines, 'of-this-release'), '');
  const enter = [join(import.meta.dirname, 'release', 'enter.sh'), tree, checkoutRoot, engines];
  const inside = ['sh', '-c', 'pwd; ls -A .engines; mount | grep -c " /mnt "; command -v npm; exit 7'];
  const outcome = await attempt('unshare', [
    '--mount',
    'sh',
    '-c',
    'mount --bind / "$0" && exec sh "$@"',
    tree,
    ...enter,
    ...inside,
  ]);
  expect(outcome).toEqual({
    code: 7,
    output: `${checkoutRoot}\nof-this-release\n0\n/usr/local/bin/npm\n`,
    errors: '',
  });
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);
});
