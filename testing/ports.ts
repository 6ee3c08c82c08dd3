/**
 * Ports for what must know its port before it starts. What can listen at port 0 should do that instead.
 *
 * A port that is only looked at is free when asked and taken a moment later. These are kept: a folder per port, named in
 * one place for every run on this machine, belongs to the process that made it until that process has ended. All lie below
 * those that the system gives to whoever connects to something, so that only a stranger's server could come between.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [LOWEST_PORT, HIGHEST_PORT] = [10_240, 32_000];
const FOLDER = path.join(tmpdir(), 'millpond-ports');

const kept = new Set<number>();
process.once('exit', () => {
  for (const port of kept) rmSync(placeOf(port), { recursive: true, force: true });
});

/** A port that is this process's until it ends. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/** The first of so many ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(LOWEST_PORT, HIGHEST_PORT - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await keepAll(ports)) === undefined) return first;
  }
}

/**
 * Waits until nobody has one of these ports, and keeps them: for commands that are run as the documentation has them.
 * Throws if that takes longer than another run of such commands would.
 */
export async function takePorts(ports: readonly number[], withinMs = 600_000): Promise<void> {
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
  return path.join(FOLDER, String(port));
}

function keep(port: number): boolean {
  mkdirSync(FOLDER, { recursive: true, mode: 0o1777 });
  try {
    mkdirSync(placeOf(port));
  } catch {
    if (isKept(port)) return false;
    // Whoever kept it was killed. Of those who see that at once, the one that can remove the folder's file has it.
    try {
      rmSync(path.join(placeOf(port), 'pid'));
    } catch {
      return false;
    }
  }
  writeFileSync(path.join(placeOf(port), 'pid'), String(process.pid));
  kept.add(port);
  return true;
}

function giveUp(port: number): void {
  kept.delete(port);
  rmSync(placeOf(port), { recursive: true, force: true });
}

function keeperOf(port: number): number | undefined {
  try {
    return Number(readFileSync(path.join(placeOf(port), 'pid'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** A folder without its file is being made. */
export function isKept(port: number): boolean {
  const pid = keeperOf(port);
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Nobody listens there, by TCP or by UDP. */
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
