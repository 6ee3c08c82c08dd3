/**
 * Ports for programs that must know their port before they start. What can listen on port 0 should do that instead.
 *
 * A port that was merely found free may be taken a moment later. These are reserved: a folder per port, in one place
 * for every run on this machine, belongs to the process that made it until that process has ended. All are below the
 * ephemeral ports that the system assigns to outgoing connections, so only an unrelated server could get in between.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [LOWEST_PORT, HIGHEST_PORT] = [10_240, 32_000];
/** For the runs of all users: each may add to it, and removes only what is its own. */
export const RESERVED_PORTS = path.join(tmpdir(), 'millpond-reserved-ports');

/** Far longer than making one takes. */
const MAKING_MS = 60_000;

const kept = new Set<number>();
process.once('exit', () => {
  for (const port of kept) rmSync(placeOf(port), { recursive: true, force: true });
});

/** A port reserved for this process until it ends. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/** The first of this many consecutive ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(LOWEST_PORT, HIGHEST_PORT - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await keepAll(ports)) === undefined) return first;
  }
}

/**
 * Waits until nobody has one of these ports, and reserves them: for commands that are run exactly as documented. Throws
 * if that takes longer than another run of such commands would.
 */
export async function waitForPorts(ports: readonly number[], withinMs = 600_000): Promise<void> {
  const last = Date.now() + withinMs;
  for (;;) {
    const obstacle = await keepAll(ports);
    if (obstacle === undefined) return;
    if (Date.now() > last) throw new Error(obstacle);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** All of them, or none: then what was in the way. */
async function keepAll(ports: readonly number[]): Promise<string | undefined> {
  const taken: number[] = [];
  let obstacle: string | undefined;
  for (const port of ports) {
    if (!keep(port)) obstacle = `port ${port} is kept by process ${keeperOf(port) ?? 'nobody'}`;
    else taken.push(port);
    if (obstacle === undefined && !(await isFree(port))) obstacle = `somebody listens at port ${port}`;
    if (obstacle !== undefined) break;
  }
  if (obstacle !== undefined) for (const port of taken) giveUp(port);
  return obstacle;
}

function placeOf(port: number): string {
  return path.join(RESERVED_PORTS, String(port));
}

function keep(port: number): boolean {
  // Not by `mode`, from which the user's umask is taken.
  if (mkdirSync(RESERVED_PORTS, { recursive: true }) !== undefined) chmodSync(RESERVED_PORTS, 0o1777);
  try {
    mkdirSync(placeOf(port));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isKept(port)) return false;
    // The process that reserved it was killed. Of those who notice at the same time, the one that can remove the
    // folder's file gets the port; if there is none, the one that can make it.
    try {
      if (keeperOf(port) !== undefined) rmSync(path.join(placeOf(port), 'pid'));
    } catch {
      return false;
    }
  }
  try {
    writeFileSync(path.join(placeOf(port), 'pid'), identityOf(process.pid), { flag: 'wx' });
  } catch {
    return false;
  }
  kept.add(port);
  return true;
}

function giveUp(port: number): void {
  kept.delete(port);
  rmSync(placeOf(port), { recursive: true, force: true });
}

function keeperOf(port: number): string | undefined {
  try {
    return readFileSync(path.join(placeOf(port), 'pid'), 'utf8');
  } catch {
    return undefined;
  }
}

/** A folder without its file, or with an empty one, is just being made; an old one is what a process left that was killed then. */
export function isKept(port: number): boolean {
  const keeper = keeperOf(port);
  if (keeper === undefined || keeper === '') return ageOf(port) < MAKING_MS;
  const [pid] = keeper.split(' ', 1);
  if (keeper !== identityOf(Number(pid))) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ageOf(port: number): number {
  try {
    return Date.now() - statSync(placeOf(port)).mtimeMs;
  } catch {
    return 0;
  }
}

/** With when it started, where the system says that: a process that was killed kept nothing for the next one of its number. */
function identityOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it, in parentheses, may hold anything.
    return `${pid} ${line.slice(line.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return String(pid);
  }
}

/** Nobody listens there, over TCP or UDP. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  const opened = await Promise.all(
    [once(server, 'listening'), once(socket, 'listening')].map((opening) =>
      opening.then(
        () => true,
        () => false,
      ),
    ),
  );
  if (opened[0]) await new Promise((resolve) => server.close(resolve));
  if (opened[1]) await new Promise<void>((resolve) => socket.close(() => resolve()));
  return opened.every(Boolean);
}
