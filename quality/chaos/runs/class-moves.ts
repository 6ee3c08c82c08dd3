/**
 * Gateway, worker and PostgreSQL are killed in turn while clients change classes, restore, overwrite and read: whatever
 * was hit, class, tier and bytes agree in the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import { checkClasses, noteClass, type PossibleClasses } from '../checks/classes.ts';
import { checkObjects } from '../checks/objects.ts';
import { objectClasses, waitingMoves } from '../engine/rows.ts';
import { type Contents, createContents, KIB, MIB } from '../load/contents.ts';
import { killServers } from '../load/kills.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged, createLedger, type Ledger, uploadOnce } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { LONG_PERIODS, type RunContext, type RunEnvironment, withOwnDatabase } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const CLIENTS = 6;
const KEYS_EACH = 4;
const CLASSES = [0, 1, 2, 3];
const SIZES = [64, 4 * KIB, 300 * KIB, 9 * MIB];
/** A restore takes moments, and a week is six seconds. */
const FAST_RESTORES = { MILLPOND_TIME_FACTOR: '100000' };
/** For reading everything back: a restore takes up to nine seconds, and a week is five minutes. */
const LONGER_RESTORES = { MILLPOND_TIME_FACTOR: '2000' };
const KNOCK_MS = 40;
/** Retries wait up to a minute, and a dead worker's jobs for its heartbeat to expire; twice that on a busy machine. */
const MOVE_TIMEOUT_MS = 240_000;
const RESTORE_TIMEOUT_MS = 60_000;

interface Load {
  readonly environment: RunEnvironment;
  readonly url: string;
  readonly ledger: Ledger;
  readonly possible: PossibleClasses;
  readonly findings: Findings;
  readonly contents: Contents;
  readonly stopped: AbortSignal;
  changes: number;
  reads: number;
}

export function runClassMoves(context: RunContext): Promise<[Findings, object]> {
  return withOwnDatabase(context, async (environment, database) => {
    const { random, options, say } = context;
    const { deployment } = environment;
    const settings = { ...LONG_PERIODS, ...FAST_RESTORES };
    const gateway = await KillableServer.start(deployment, settings, ['serve', '--no-work']);
    const worker = await KillableServer.start(deployment, settings, ['work']);
    const stop = new AbortController();
    const load: Load = {
      environment,
      url: gateway.url,
      ledger: createLedger(),
      possible: new Map(),
      findings: new Findings(),
      contents: createContents(options.seed),
      stopped: stop.signal,
      changes: 0,
      reads: 0,
    };
    const clients = Array.from({ length: CLIENTS }, (_, number) =>
      keepChanging(load, random.fork(`client ${number}`), `${number}`),
    );
    const killed = await killServers(context, [gateway, worker, database]).finally(() => stop.abort());
    await Promise.all(clients);
    say(
      `${load.changes} changes of class, ${load.ledger.writes.length} uploads and ${load.reads} reads ended`,
    );
    await settled(context, environment, load.findings);
    return finish(context, load, killed);
  });
}

async function finish(context: RunContext, load: Load, details: object): Promise<[Findings, object]> {
  const { environment, ledger, findings } = load;
  const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
  const { cold } = await environment.engineContent();
  checkClasses(await objectClasses(environment.regionUrl), cold, load.possible, findings);
  // Last, to reveal what collector and sweep took by mistake.
  const { url } = await KillableServer.start(
    environment.deployment,
    { ...LONG_PERIODS, ...LONGER_RESTORES },
    ['serve', '--no-work'],
  );
  await Promise.all([...load.possible.keys()].map((key) => thaw(environment, url, key)));
  const keys = ledger.writes.map((write) => write.key);
  checkObjects(ledger.writes, await readBack(environment, url, keys, findings), findings);
  const { changes, reads } = load;
  const acknowledged = countAcknowledged(ledger.writes);
  return [findings, { acknowledged, changes, reads, ...details, ...cleared }];
}

/** Every requested move is made, whatever died in between. */
async function settled(
  { say, signal }: RunContext,
  { regionUrl }: RunEnvironment,
  findings: Findings,
): Promise<void> {
  const end = Date.now() + MOVE_TIMEOUT_MS;
  let waiting = await waitingMoves(regionUrl, { again: true });
  for (; waiting > 0 && Date.now() < end; waiting = await waitingMoves(regionUrl, { again: false }))
    await sleep(500, undefined, { signal });
  say(`${waiting} moves are still pending`);
  if (waiting > 0) findings.add('misplaced', `${waiting} objects were not moved in time`);
}

/** Each client has its own keys and does one thing after the other, so that it knows the possible states of each. */
async function keepChanging(load: Load, random: Random, client: string): Promise<void> {
  const keys = Array.from({ length: KEYS_EACH }, (_, number) => `${client}-${number}`);
  for (const key of keys) await overwrite(load, random, key);
  while (!load.stopped.aborted) {
    const key = random.pick(keys);
    const dice = random.next();
    if (dice < 0.1) await overwrite(load, random, key);
    else if (dice < 0.3) await read(load, key);
    else await changeClass(load, key, random.pick(CLASSES));
  }
}

async function overwrite(load: Load, random: Random, key: string): Promise<void> {
  const { environment, ledger, url, contents } = load;
  const fileType = random.pick(CLASSES);
  const content = contents.make(random.pick(SIZES));
  const plan = { url, key, mode: 'overwrite', content, fileType } as const;
  const { write } = await uploadOnce(environment.client, ledger, plan);
  if (write === undefined) await sleep(KNOCK_MS);
  else noteClass(load.possible, key, fileType, write.outcome);
}

async function changeClass(load: Load, key: string, storageClass: number): Promise<void> {
  const { client } = load.environment;
  await client.manage(load.url, 'restoreAr', key, 'freezeAfterDays/7');
  const { outcome } = await client.manage(load.url, 'chtype', key, `type/${storageClass}`);
  if (outcome === undefined) await sleep(KNOCK_MS);
  else noteClass(load.possible, key, storageClass, outcome);
  if (outcome === 'acknowledged') load.changes++;
}

/** What can be read is whole, even while it is being moved. */
async function read(load: Load, key: string): Promise<void> {
  try {
    const { bytesHash, etag } = await load.environment.client.get(load.url, key);
    load.reads++;
    if (bytesHash !== etag) load.findings.add('torn', `${key}: the bytes of ${etag} arrived as ${bytesHash}`);
  } catch {
    // It is frozen, or the gateway was killed during the request.
  }
}

/** Restores an object and waits until it is restored; the short windows of the load are over by now. */
async function thaw({ client }: RunEnvironment, url: string, key: string): Promise<void> {
  for (const end = Date.now() + RESTORE_TIMEOUT_MS; Date.now() < end; await sleep(100)) {
    const { status } = await client.manage(url, 'restoreAr', key, 'freezeAfterDays/7');
    if (status !== 200) return;
  }
}
