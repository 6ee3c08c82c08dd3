/** Containers as the compose file describes them, run one by one on this machine's own network. For tests. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ROOT } from './build.ts';

const run = promisify(execFile);

interface Service {
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

export interface Placed {
  /** Of secrets and volumes, by the names that the compose file has for them. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

export async function readCompose(): Promise<Readonly<Record<string, Service>>> {
  const text = await readFile(path.join(ROOT, 'deploy/container/compose.yaml'), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

/** What a compose program would pass on; `systempaths` is Docker's word for what podman calls `unmask`. */
function flagsOf(service: Service, { files, settings }: Placed): readonly string[] {
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
const RUN = [
  '--runtime',
  'runc',
  'run',
  '--network',
  'host',
  '--ulimit',
  'nofile=20000:20000',
  '--ulimit',
  'nproc=32000:32000',
];

export async function runToEnd(service: Service, placed: Placed, command = service.command): Promise<string> {
  const { stdout } = await podman(...RUN, '--rm', ...flagsOf(service, placed), service.image, ...command);
  return stdout;
}

export interface Container {
  exec(env: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<string>;
  logs(): Promise<string>;
  isHealthy(): Promise<boolean>;
  /** SIGTERM, and the end when all is done. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export async function startContainer(service: Service, placed: Placed): Promise<Container> {
  const { stdout } = await podman(
    ...RUN,
    '--detach',
    ...flagsOf(service, placed),
    service.image,
    ...service.command,
  );
  const id = stdout.trim().split('\n').at(-1) ?? '';
  return {
    async exec(env, ...command) {
      const flags = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      return (await podman('exec', ...flags, id, ...command)).stdout;
    },
    logs: async () => (await podman('logs', id)).stdout,
    isHealthy: () => podman('healthcheck', 'run', id).then(...asFound),
    async stop() {
      await podman('stop', '--time', '45', id);
    },
    async remove() {
      await podman('rm', '--force', id);
    },
  };
}

const asFound = [() => true, () => false] as const;

export function podman(...args: readonly string[]) {
  return run('podman', args, { maxBuffer: 64 * 2 ** 20 });
}
