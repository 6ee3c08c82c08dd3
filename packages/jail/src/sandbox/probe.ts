/**
 * Runs inside the sandbox at start and reports what can be reached from there, as one line of JSON. Arguments: a port on this
 * machine with a listener, a file that exists outside.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { ProbeReport } from './self-test.ts';

const [port, canary] = process.argv.slice(2);

function fails(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}

function connects(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
}

const status = readFileSync('/proc/self/status', 'utf8');
const statusOf = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';

const report: ProbeReport = {
  connected: await connects(),
  interfaces:
    readFileSync('/proc/net/dev', 'utf8')
      .match(/^\s*\S+(?=:)/gm)
      ?.map((name) => name.trim()) ?? [],
  seesPasswords: existsSync('/etc/passwd'),
  seesCanary: existsSync(canary ?? ''),
  readOnlySystem: ['/usr', '/etc', '/dev', '/'].every((folder) =>
    fails(() => writeFileSync(`${folder}/probe`, '')),
  ),
  writesJob: !fails(() => writeFileSync('/job/probe', 'x')),
  processes: readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
  environment: readFileSync('/proc/self/environ', 'utf8')
    .split('\0')
    .filter((pair) => pair !== '')
    .map((pair) => pair.slice(0, pair.indexOf('='))),
  user: process.getuid?.() ?? 0,
  capabilities: statusOf('CapEff') + statusOf('CapBnd'),
  noNewPrivileges: statusOf('NoNewPrivs') === '1',
  seccomp: statusOf('Seccomp') === '2',
};
process.stdout.write(`${JSON.stringify(report)}\n`);
