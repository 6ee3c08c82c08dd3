/** Containers as the compose file describes them, run one by one on this machine's own network. For tests. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ROOT } from './containerfile.ts';

const run = promisify(execFile);

export interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
  readonly tmpfs: readonly string[];
  readonly security_opt: readonly string[];
  readonly cap_drop: readonly string[];
  readonly read_only: boolean;
}

export interface PlacedContainer {
  /** Files of secrets and volumes, by the names that the compose file has for them. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

export async function readCompose(): Promise<Readonly<Record<string, Service>>> {
  const text = await readFile(path.join(ROOT, 'deploy/container/compose.yaml'), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

/** What a compose program would pass on; `systempaths` is Docker's word for what podman calls `unmask`. */
function flagsOf(service: Service, { files, settings }: PlacedContainer): readonly string[] {
  const at = (name: string) => {
    const file = files[name];
    if (file === undefined) throw new Error(`no place for ${name}`);
    return file;
  };
  const environment = { ...service.environment, ...settings };
  return [
    ...(service.read_only ? ['--read-only'] : []),
    ...service.cap_drop.flatMap((capability) => ['--cap-drop', capability]),
    ...service.security_opt.flatMap((option) => [
      '--security-opt',
      option.replace('systempaths=unconfined', 'unmask=ALL'),
    ]),
    ...service.tmpfs.flatMap((mount) => ['--tmpfs', mount]),
    ...service.volumes.flatMap((volume) => [
      '--volume',
      `${at(volume.split(':')[0] ?? '')}:${volume.split(':')[1]}`,
    ]),
    ...service.secrets.flatMap((secret) => ['--volume', `${at(secret)}:/run/secrets/${secret}:ro`]),
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
}

/** Limits that are lower than the machine's own, which may not be raised everywhere. */
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=32000:32000'];
const RUN = ['--runtime', 'runc', 'run', ...LIMITS];

/** The output of a shell command in an image, alone. */
export async function inImage(image: string, command: string): Promise<string> {
  const { stdout } = await podman(
    ...RUN,
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'sh',
    image,
    '-c',
    command,
  );
  return stdout;
}

export async function runToEnd(service: Service, placedContainer: PlacedContainer): Promise<string> {
  const flags = [...RUN, '--network', 'host', '--rm', ...flagsOf(service, placedContainer)];
  return (await podman(...flags, service.image, ...service.command)).stdout;
}

export interface ContainerExit {
  readonly code: number;
  readonly seconds: number;
}

export interface Container {
  exec(env: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<string>;
  /** What exec says of a command that fails. */
  refusal(...command: readonly string[]): Promise<string>;
  logs(): Promise<string>;
  /** `healthy`, once the check that the image brings has been made and passed. */
  readonly health: () => Promise<string>;
  /** SIGTERM, and the end when all is done. */
  stop(): Promise<ContainerExit>;
  remove(): Promise<void>;
}

export function startContainer(service: Service, placedContainer: PlacedContainer): Promise<Container> {
  return startAs([...flagsOf(service, placedContainer), service.image, ...service.command]);
}

/** With other flags than those of a service of the compose file. */
export async function startAs(flags: readonly string[]): Promise<Container> {
  const { stdout } = await podman(...RUN, '--network', 'host', '--detach', ...flags);
  return containerOf(stdout.trim().split('\n').at(-1) ?? '');
}

/** How long a container may take to end: as long as a compose program gives it. */
const MAX_STOPPING_SECONDS = 45;

export function containerOf(id: string): Container {
  const exec = (env: Readonly<Record<string, string>>, ...command: readonly string[]) => {
    const flags = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return podman('exec', ...flags, id, ...command);
  };
  return {
    exec: async (env, ...command) => (await exec(env, ...command)).stdout,
    refusal: (...command) =>
      exec({}, ...command).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      ),
    async logs() {
      const { stdout, stderr } = await podman('logs', id);
      return `${stdout}${stderr}`;
    },
    health: async () => {
      // Where no systemd runs, nothing else makes the checks; what they find is written down either way.
      await podman('healthcheck', 'run', id).catch(() => undefined);
      return inspect(id, '{{.State.Health.Status}}');
    },
    async stop() {
      const begun = performance.now();
      await podman('stop', '--time', `${MAX_STOPPING_SECONDS}`, id);
      const seconds = (performance.now() - begun) / 1000;
      return { code: Number(await inspect(id, '{{.State.ExitCode}}')), seconds };
    },
    async remove() {
      await podman('rm', '--force', '--time', '0', id);
    },
  };
}

export async function inspect(id: string, format: string): Promise<string> {
  return (await podman('inspect', '--format', format, id)).stdout.trim();
}

export function podman(...args: readonly string[]) {
  return run('podman', args, { maxBuffer: 64 * 2 ** 20 });
}
