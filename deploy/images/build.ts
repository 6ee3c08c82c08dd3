/** Builds the targets of the Containerfile with buildah, and lists what came of it with podman. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const ROOT = path.join(import.meta.dirname, '../..');

/** Targets of the Containerfile, and what the images are called. */
const TARGETS = {
  millpond: 'millpond',
  media: 'millpond-media',
  'nginx-rtmp': 'millpond-nginx-rtmp',
} as const;

export interface BuiltImage {
  readonly name: string;
  /** Unpacked. */
  readonly megabytes: number;
}

export interface BuildOptions {
  readonly say: (line: string) => void;
  /** Whether bases may be fetched from a registry. */
  readonly pull: boolean;
  /** In seconds: everything is built anew, and has this time. Without it, what was built before is taken again, with its own. */
  readonly timestamp?: number | undefined;
}

export async function missingPrograms(withBases: boolean): Promise<readonly string[]> {
  const needed = ['buildah', 'podman', ...(withBases ? ['debootstrap'] : [])];
  const found = await Promise.all(
    needed.map((program) => run('sh', ['-c', `command -v ${program}`]).then(...asFound)),
  );
  return needed.filter((_, number) => !found[number]);
}

const asFound = [() => true, () => false] as const;

export async function buildImages({ say, pull, timestamp }: BuildOptions): Promise<readonly BuiltImage[]> {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  say('packing');
  await perform('npm', ['run', '--silent', 'pack']);
  const built: BuiltImage[] = [];
  const time =
    timestamp === undefined
      ? ['--layers']
      : ['--no-cache', '--timestamp', `${timestamp}`, '--build-arg', `SOURCE_DATE_EPOCH=${timestamp}`];
  for (const [target, image] of Object.entries(TARGETS)) {
    const name = `${image}:${version}`;
    say(`building ${name}`);
    await perform('buildah', [
      ...['bud', '--format', 'docker', ...time, '--target', target, '--tag', name],
      ...['--file', 'deploy/container/Containerfile'],
      // No daemon, and no network of its own: neither is needed to build, and neither is to be had everywhere.
      ...['--isolation', 'chroot', '--network', 'host', pull ? '--pull' : '--pull-never'],
      '.',
    ]);
    const { stdout } = await run('podman', ['image', 'inspect', name]);
    const [{ Size }] = JSON.parse(stdout) as [{ Size: number }];
    built.push({ name, megabytes: Math.round(Size / 1e6) });
  }
  return built;
}

/** Its output is shown only if it fails. */
async function perform(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => said.push(text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said.join('').slice(-4000)}`);
}
