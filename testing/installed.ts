/** The packages as a user has them: packed as for publishing, and installed by npm in an empty folder. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..');
const MOST_OUTPUT = 16 * 1024 * 1024;

export interface InstalledPackages {
  /** Holds nothing but package.json and node_modules. */
  readonly folder: string;
  /** What a user's shell would have: this Node, a home of its own, and no tool of this checkout. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Dependencies come from npm's cache where they are there, else from the registry. */
export async function installPackages(): Promise<InstalledPackages> {
  const place = await mkdtemp(path.join(tmpdir(), 'mp-user-'));
  const [folder, tarballs, home] = ['app', 'tarballs', 'home'].map((name) => path.join(place, name));
  if (folder === undefined || tarballs === undefined || home === undefined) throw new Error('no folder');
  try {
    // As root, PostgreSQL and the jail are other users, who must be able to pass.
    await chmod(place, 0o755);
    for (const each of [folder, tarballs, home]) await mkdir(each);
    await run(process.execPath, ['scripts/pack/main.ts', '--out', tarballs], { cwd: ROOT });
    await writeFile(path.join(folder, 'package.json'), '{"name": "app", "private": true}\n');
    const files = (await readdir(tarballs)).map((file) => path.join(tarballs, file));
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    // Not with the settings of the npm that runs us.
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      npm_config_cache: process.env.npm_config_cache,
    };
    await run('npm', ['install', ...options, ...files], { cwd: folder, env, maxBuffer: MOST_OUTPUT });
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    environment: {
      PATH: [path.dirname(process.execPath), ...withoutModules(process.env.PATH ?? '')].join(':'),
      HOME: home,
      XDG_CACHE_HOME: path.join(place, 'cache'),
      TMPDIR: place,
    },
    // A command that has said its last word may still be writing what it compiled into its cache.
    remove: () => rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }),
  };
}

function withoutModules(searchPath: string): string[] {
  return searchPath.split(':').filter((entry) => !entry.includes('node_modules'));
}
