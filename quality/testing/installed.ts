/** The packages as a user gets them: packed as for publishing, and installed by npm in an empty folder. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
/** In CI, where `npm run pack -- --out` has put them for all tests; otherwise each file packs the checkout as it is. */
const PACKED = process.env.MILLPOND_TEST_PACKAGES;
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Without this, npm silently retries an unreachable registry for much longer. */
const MAX_INSTALLING_MS = 600_000;

export interface PackedPackages {
  /** A user's home, with the packages in `millpond/dist` as in a checkout there. */
  readonly home: string;
  /** What a user's shell would have: this Node, its own home, and no tool of this checkout. */
  readonly environment: Readonly<Record<string, string>>;
  /** Another empty folder. */
  emptyFolder(): Promise<string>;
  remove(): Promise<void>;
}

export interface InstalledPackages extends PackedPackages {
  /** Contains only package.json, its lock and node_modules. */
  readonly folder: string;
}

export async function packPackages(): Promise<PackedPackages> {
  const place = await mkdtemp(path.join(tmpdir(), 'mp-user-'));
  const home = path.join(place, 'home');
  // A command that has finished its output may still be writing compiled code into its cache.
  const remove = () => rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  try {
    // Under root, PostgreSQL and the sandbox run as other users, who must be able to pass.
    await chmod(place, 0o755);
    await mkdir(home);
    const dist = path.join(home, 'millpond/dist');
    if (PACKED === undefined)
      await run(process.execPath, ['scripts/pack/main.ts', '--out', dist], { cwd: ROOT });
    else await cp(PACKED, dist, { recursive: true });
  } catch (error) {
    await remove();
    throw error;
  }
  let folders = 0;
  return {
    home,
    environment: {
      PATH: [path.dirname(process.execPath), ...withoutModules(process.env.PATH ?? '')].join(':'),
      HOME: home,
      XDG_CACHE_HOME: path.join(place, 'cache'),
      TMPDIR: place,
      ...npmSettings(process.env),
    },
    emptyFolder: async () => {
      const folder = path.join(place, `app-${++folders}`);
      await mkdir(folder);
      return folder;
    },
    remove,
  };
}

/** With the command that the pages show. */
export async function installPackages(): Promise<InstalledPackages> {
  const packed = await packPackages();
  try {
    const folder = await packed.emptyFolder();
    await run('bash', ['-c', 'npm install ~/millpond/dist/*.tgz'], {
      cwd: folder,
      env: packed.environment,
      maxBuffer: MAX_OUTPUT,
      timeout: MAX_INSTALLING_MS,
    });
    return { ...packed, folder };
  } catch (error) {
    await packed.remove();
    throw error;
  }
}

/** How npm reaches a registry, and what it trusts there; everything else that npm tells its scripts is about this checkout. */
const REACHING =
  /^(?:npm_config_(?:registry|cache|userconfig|globalconfig|ca|cafile|proxy|https_proxy|noproxy|strict_ssl)|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

/**
 * Reaches the registry as the current user does; dependencies come from their cache if they are there. Requests nothing
 * unnecessary from the registry: it may be slow, or unreachable.
 */
export function npmSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.entries(environment).filter(
    ([name, value]) => REACHING.test(name) && value !== undefined,
  );
  // Not HOME: if that is not set, npm still finds a user's settings.
  const home = homedir();
  return {
    npm_config_cache: path.join(home, '.npm'),
    npm_config_userconfig: path.join(home, '.npmrc'),
    ...globalConfig(environment.PATH ?? ''),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}

/** npm looks for the machine's settings next to the Node that runs it. That Node belongs to this checkout, and has none. */
function globalConfig(searchPath: string): Record<string, string> {
  const npm = withoutModules(searchPath)
    .map((entry) => path.join(entry, 'npm'))
    .find((file) => existsSync(file));
  if (npm === undefined) return {};
  return { npm_config_globalconfig: path.join(path.dirname(npm), '../etc/npmrc') };
}

function withoutModules(searchPath: string): string[] {
  return searchPath.split(':').filter((entry) => !entry.includes('node_modules'));
}
