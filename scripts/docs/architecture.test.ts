/** The pages name every dependency, and the floors that the check of imports holds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { domains, packages } from '../imports/table.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const pageOf = (name: string) => readFileSync(path.join(ROOT, 'docs', name), 'utf8');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

test('every dependency has its reason, and no other package has one', () => {
  const folders = ['.', ...packages.map(({ folder }) => folder).filter((folder) => folder !== 'scripts')];
  const used = folders.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
    return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  });
  const foreign = new Set(used.filter((name) => !packages.some((ours) => ours.name === name)));
  const named = [...pageOf('dependencies.md').matchAll(/^\| ([^|]+)\|/gm)]
    .flatMap(([, cell = '']) => cell.split(',').map((name) => name.trim()))
    .filter((name) => name !== 'package' && !/^-+$/.test(name));
  expect(named.toSorted()).toEqual([...foreign].toSorted());
});

test('the domains, and the floors of their features', () => {
  const rules = pageOf('decisions/002-imports-go-one-way.md');
  const [, floors = ''] = /through `index\.ts`:\n\n```\n([^`]+)\n```/.exec(rules) ?? [];
  const lines = domains.map(
    ({ domain, floors: [...rows] }) => `${domain}: ${rows.map((row) => row.join(', ')).join('; ')}`,
  );
  expect(floors.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual(lines);
});
