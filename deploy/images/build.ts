/** Builds the targets of the Containerfile with buildah, and lists what came of it with podman. Tried with buildah 1.28.2 (Debian 12). */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { baseNames, CONTAINERFILE, imageNames, ROOT } from './containerfile.ts';
import { labelsOf } from './labels.ts';

const run = promisify(execFile);

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

const WITHOUT_REGISTRY =
  'Where no registry can be reached, bases are made of Debian’s packages, as root: npm run image -- --base debootstrap, or MILLPOND_TEST_IMAGE_BASE=debootstrap npm run image:test';

export async function missingPrograms(withBases: boolean): Promise<readonly string[]> {
  const needed = ['buildah', 'podman', ...(withBases ? ['debootstrap'] : [])];
  const found = await Promise.all(
    needed.map((program) => run('sh', ['-c', `command -v ${program}`]).then(...asFound)),
  );
  return needed.filter((_, number) => !found[number]);
}

const asFound = [() => true, () => false] as const;

export async function buildImages({ say, pull, timestamp }: BuildOptions): Promise<readonly BuiltImage[]> {
  say('packing');
  await perform('npm', ['run', '--silent', 'pack']);
  if (pull)
    for (const base of Object.values(await baseNames()))
      await perform('podman', ['pull', '--quiet', base]).catch((cause: Error) => {
        throw new Error(`${cause.message}\n${WITHOUT_REGISTRY}`, { cause });
      });
  const labels = await labelsOf(timestamp);
  const built: BuiltImage[] = [];
  const time =
    timestamp === undefined
      ? ['--layers']
      : ['--no-cache', '--timestamp', `${timestamp}`, '--build-arg', `SOURCE_DATE_EPOCH=${timestamp}`];
  for (const [target, name] of Object.entries(await imageNames())) {
    say(`building ${name}`);
    await perform('buildah', [
      'bud',
      '--format',
      'docker',
      ...time,
      '--target',
      target,
      '--tag',
      name,
      ...Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]),
      '--file',
      CONTAINERFILE,
      // No daemon, and no network of its own: neither is needed to build, and neither is to be had everywhere. The bases are there: all
      // three images get the same, which their labels name.
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--pull-never',
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
  // Newer versions of buildah take the time from this too, and refuse to be told it twice.
  const { SOURCE_DATE_EPOCH: _, ...env } = process.env;
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => said.push(text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said.join('').slice(-4000)}`);
}
