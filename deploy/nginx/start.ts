/**
 * Debian's nginx with the shipped configuration, in front of a gateway, for tests and measurements: its own folder and
 * port, in the foreground, ended by `stop`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@millpond/testing';

const TEMPLATE = path.join(import.meta.dirname, 'millpond.conf');
/** Characters with which a value could end a directive or open a block: none belongs in an address. */
const UNSAFE = /[\s;{}"'\\$#]/;
const READY_TIMEOUT_MS = 10_000;

export interface NginxOptions {
  /** `http://127.0.0.1:port` of the gateway, which is configured with MILLPOND_SEND_BYTES=nginx. */
  readonly gatewayUrl: string;
  /** MILLPOND_S3_ENDPOINT of that gateway. */
  readonly engineUrl: string;
  /** Concurrent requests per network, if different from the file. */
  readonly requestsPerNetwork?: number;
  /** Changes to the site, as an operator's own. */
  readonly edit?: (site: string) => string;
}

export interface RunningNginx {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** What it has written to its access log and error log so far. */
  logs(): Promise<{ access: string; error: string }>;
  /** To its master and all its workers: one that is killed leaves the others behind. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** At the same address, after it was killed. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startNginx(options: NginxOptions): Promise<RunningNginx> {
  const { gatewayUrl, engineUrl, requestsPerNetwork = 512, edit = (site: string) => site } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-nginx-'));
  // If root starts it, its workers run as another user, who must still reach their temporary files.
  await chmod(folder, 0o755);
  const listen = `127.0.0.1:${await freePort()}`;
  const engine = new URL(engineUrl);
  const site = renderConfiguration(await readFile(TEMPLATE, 'utf8'), {
    LISTEN: listen,
    GATEWAY: new URL(gatewayUrl).host,
    ENGINE_SCHEME: engine.protocol.slice(0, -1),
    ENGINE: engine.host,
  });
  const accessLog = path.join(folder, 'access.log');
  await writeFile(
    path.join(folder, 'millpond.conf'),
    edit(site)
      .replace(/access_log \S+/, `access_log ${accessLog}`)
      .replace('limit_conn millpond_networks 512;', `limit_conn millpond_networks ${requestsPerNetwork};`),
  );
  await writeFile(path.join(folder, 'nginx.conf'), mainConfiguration(folder));
  const url = `http://${listen}`;
  let child = await launch(folder, url);
  const logs = async () => ({
    access: await readFile(accessLog, 'utf8'),
    error: await readFile(path.join(folder, 'error.log'), 'utf8'),
  });
  return {
    url,
    logs,
    async signal(signal) {
      const ended = signal === 'SIGKILL' ? once(child, 'exit') : undefined;
      for (const pid of await processesOf(child)) process.kill(pid, signal);
      await ended;
    },
    async startAgain() {
      child = await launch(folder, url);
    },
    stop: () => end(child, folder),
  };
}

export interface Placeholders {
  readonly LISTEN: string;
  /** `host:port`. */
  readonly GATEWAY: string;
  readonly ENGINE_SCHEME: string;
  /** `host:port`, as in MILLPOND_S3_ENDPOINT. */
  readonly ENGINE: string;
}

/** Fills the placeholders of millpond.conf, and refuses to leave one unfilled or to fill one that does not exist. */
export function renderConfiguration(template: string, values: Placeholders): string {
  let text = template.replace(/^#.*\n/gm, '');
  for (const [name, value] of Object.entries(values)) {
    if (name !== 'LISTEN' && UNSAFE.test(value)) throw new Error(`${name} can't be "${value}"`);
    if (!text.includes(`__${name}__`)) throw new Error(`millpond.conf has no __${name}__`);
    text = text.replaceAll(`__${name}__`, value);
  }
  const left = /__[A-Z_]+__/.exec(text);
  if (left !== null) throw new Error(`millpond.conf has ${left[0]}, which has no value`);
  return text;
}

async function launch(folder: string, url: string): Promise<ChildProcess> {
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  try {
    await ready(`${url}/`, child);
    return child;
  } catch (error) {
    const log = await readFile(path.join(folder, 'error.log'), 'utf8').catch(() => '');
    await end(child, folder);
    throw new Error(`nginx did not start: ${log}`, { cause: error });
  }
}

async function processesOf({ pid = 0 }: ChildProcess): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
}

function mainConfiguration(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
worker_processes auto;
events { worker_connections 1024; }
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include ${folder}/millpond.conf;
}
`;
}

/** Any answer will do: if the gateway is down, nginx itself answers. */
async function ready(url: string, child: ChildProcess): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`);
    const answer = await fetch(url, { method: 'HEAD' }).catch(() => undefined);
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`it did not answer within ${READY_TIMEOUT_MS / 1000} s`);
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
