/**
 * An upgrade as docs/production.md describes it: the version before serves a store that it has filled, this version migrates the databases under load, then
 * the worker and the gateways are replaced one after another. Both versions serve together for a while, on the same databases:
 * nothing acknowledged may be lost, torn or stale, and no request may fail that one repetition elsewhere does not heal.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '@millpond/testing';
import { whatWasNoticed } from '../checks/failover.ts';
import { type CallbackReceiver, startCallbackReceiver, TELLING_SETTINGS } from '../load/callback-receiver.ts';
import { createContents } from '../load/contents.ts';
import { type EventReceiver, startEventReceiver } from '../load/events.ts';
import { Gateways } from '../load/gateways.ts';
import { NO_RULES, tellEverything } from '../load/object-events.ts';
import { ResumableClient } from '../load/resumable.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged } from '../load/writers.ts';
import { Findings } from '../report.ts';
import {
  LONG_PERIODS,
  PACKED_SOON,
  type RunContext,
  type RunEnvironment,
  withRunEnvironment,
} from '../run-environment.ts';
import { type ClientPlan, keepRequesting, uploadWithTask } from '../upgrade/clients.ts';
import { failures, notApplied, sameBuild, servedAt, zeroes } from '../upgrade/not-vacuous.ts';
import { keepUploadingInParts } from '../upgrade/parts.ts';
import { createUpgradeRecord, type UpgradeRecord } from '../upgrade/record.ts';
import { checkSeeds, isStillFrozen, type Seeding, seed } from '../upgrade/seeds.ts';
import { checkUpgrade, readAtOld } from '../upgrade/verify.ts';
import { buildOf, type EarlierVersion, openVersion } from '../upgrade/version.ts';

const CLIENTS = 12;
const IN_PARTS = 3;
const BEFORE_MS = 2_000;
const AFTER_MS = 1_000;
const DEFAULT_MINUTES = 0.2;
const SETTINGS = {
  ...LONG_PERIODS,
  ...TELLING_SETTINGS,
  // Longer than a load balancer takes to notice.
  MILLPOND_DRAIN_DELAY: '2s',
  MILLPOND_DRAIN_TIMEOUT: '60s',
};
/** Tasks that wait while no worker is there. */
const WAITING_TASKS = 4;
const MAX_LISTED_RESPONSES = 20;
/** A busy machine is slow to say so; a gateway that was stopped refuses at once. */
const READY_TIMEOUT_MS = 10_000;
const SERVE_TIMEOUT_MS = 60_000;
const ROOT = path.join(import.meta.dirname, '../../..');
const NEW_SETTINGS = { ...SETTINGS, ...PACKED_SOON };

export async function runUpgrade(context: RunContext): Promise<[Findings, object]> {
  const { options, say } = context;
  const before = await openVersion(options.from, say);
  try {
    say(`from ${before.name}`);
    return await withRunEnvironment(context, (environment) => run(context, environment, before), {
      checkout: before.folder,
    });
  } finally {
    await before.remove();
  }
}

async function run(
  context: RunContext,
  environment: RunEnvironment,
  before: EarlierVersion,
): Promise<[Findings, object]> {
  const { options, random, say } = context;
  const findings = new Findings();
  const stop = new AbortController();
  const told = await startCallbackReceiver();
  const receiver = await startEventReceiver(random.fork('receiver'));
  const closing: { close(): Promise<void> }[] = [told, receiver];
  try {
    const servers = await startOld(environment, receiver);
    if (!servers.hasRules) say('the version before has no event rules: no events of objects are looked for');
    const record = createUpgradeRecord();
    const gateways = new Gateways(servers.gateways, READY_TIMEOUT_MS);
    const resumable = new Map(
      servers.gateways.map(({ url }) => [
        url,
        new ResumableClient(url, environment.account, environment.bucket),
      ]),
    );
    closing.push(...resumable.values());
    const contents = createContents(options.seed);
    const seeding: Omit<Seeding, 'resumable'> = {
      url: servers.gateways[0].url,
      client: environment.client,
      contents,
      told,
    };
    const [first] = resumable.values();
    if (first === undefined) throw new Error('no gateway');
    say('filling the store');
    const seeds = await seed({ ...seeding, resumable: first });
    const plan: ClientPlan = {
      ...environment,
      gateways,
      contents,
      told,
      record,
      findings,
      stopped: stop.signal,
    };
    const numbered = (count: number, begin: (n: number) => Promise<void>) =>
      Array.from({ length: count }, (_, n) => begin(n));
    const load = [
      gateways.watch(stop.signal),
      ...numbered(CLIENTS, (n) => keepRequesting(plan, n, random.fork(`client ${n}`))),
      ...numbered(IN_PARTS, (n) =>
        keepUploadingInParts({ ...plan, resumable }, n, random.fork(`in parts ${n}`)),
      ),
    ];
    const upgraded = environment.deployment.upgraded();
    const upgrading = { before, old: environment.deployment, upgraded, servers, plan };
    const steps = await upgrade(context, upgrading).finally(() => stop.abort());
    const [fromBefore] = await Promise.all([
      checkSeeds(seeds, { ...seeding, resumable: first }, findings),
      ...load,
    ]);
    say(`${record.changing.length} changes and ${record.reading.length} reads ended; checking`);
    const checked = await checkUpgrade(
      context,
      { ...environment, deployment: upgraded },
      {
        url: servers.gateways[0].url,
        record,
        told,
        isFrozen: isStillFrozen(seeds),
        arrivals: servers.hasRules ? receiver.arrivals : undefined,
        findings,
      },
    );
    const counts = details(record, told);
    const happened = { ...counts, ...(servers.hasRules && { events: receiver.arrivals.length }) };
    for (const each of zeroes(happened)) findings.add('wrong', each);
    const answers = Object.fromEntries(record.answers);
    return [findings, { ...counts, answers, from: before.name, fromBefore, steps, ...checked }];
  } finally {
    stop.abort();
    await Promise.all(closing.map((each) => each.close()));
  }
}

interface Servers {
  readonly worker: KillableServer;
  readonly gateways: readonly [KillableServer, KillableServer];
  /** Whether the version before tells what happens to objects. */
  readonly hasRules: boolean;
}

async function startOld(
  { deployment, account, bucket }: RunEnvironment,
  receiver: EventReceiver,
): Promise<Servers> {
  const start = (...args: string[]) => KillableServer.start(deployment, SETTINGS, args);
  const [worker, ...gateways] = await Promise.all([
    start('work'),
    start('serve', '--no-work'),
    start('serve', '--no-work'),
  ]);
  const answered = await tellEverything(gateways[0].url, { account, bucket, receiver });
  return { worker, gateways, hasRules: answered !== NO_RULES };
}

interface Upgrading {
  readonly before: EarlierVersion;
  readonly old: Deployment;
  readonly upgraded: Deployment;
  readonly servers: Servers;
  readonly plan: ClientPlan;
}

/** Returns what each step did to the clients. */
async function upgrade(
  { options, say, signal }: RunContext,
  { before, old, upgraded, servers, plan }: Upgrading,
): Promise<object[]> {
  const { worker, gateways } = servers;
  const { record, findings } = plan;
  const urls = gateways.map(({ url }) => url);
  const pauseMs = ((options.minutes ?? DEFAULT_MINUTES) * 60_000) / 3;
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  const steps: object[] = [];
  const zeroAt = (since: number) => {
    const served = servedAt(record.changing, urls, { since });
    return urls.filter((_, number) => served[number] === 0);
  };
  /** What a step does to clients also shows in the pause after it. */
  const step = async (name: string, act: () => Promise<unknown>, thenMs = pauseMs): Promise<void> => {
    say(name);
    const struckAt = Date.now();
    await act();
    const actedAt = Date.now();
    await pause(thenMs);
    // Nothing is shown by a gateway that nobody asked.
    const end = Date.now() + SERVE_TIMEOUT_MS;
    while (zeroAt(actedAt).length > 0 && Date.now() < end) await pause(50);
    for (const url of zeroAt(actedAt)) findings.add('wrong', `no change at ${url} after "${name}"`);
    const times = { struckAt, overAt: Date.now() };
    const { silentMs, unhealed } = whatWasNoticed(record.changing, times);
    const within = { since: struckAt, until: times.overAt };
    const failed = failures([...record.changing, ...record.reading], within);
    steps.push({
      name,
      ms: actedAt - struckAt,
      silentMs,
      failed: failed.length,
      unhealed: unhealed + whatWasNoticed(record.reading, times).unhealed,
      ...(failed.length > 0 && { answers: failed.slice(0, MAX_LISTED_RESPONSES) }),
      served: servedAt(record.changing, urls, within),
    });
  };
  await step('before', () => pause(BEFORE_MS), 0);
  await step('migrate', async () => checkMigrated(before, await upgraded.run('migrate'), findings));
  await step('worker', async () => {
    await worker.stop();
    // They are the old gateway's, and the new worker's.
    for (let n = 0; n < WAITING_TASKS; n++) await uploadWithTask(plan, gateways[0].url, `waiting/${n}`);
    await worker.replaceBy(upgraded, NEW_SETTINGS);
  });
  const mixedAt = Date.now();
  await step('first gateway', () => gateways[0].replaceBy(upgraded, NEW_SETTINGS));
  // For a moment no process of the version before is connected: it must still be able to read everything when it is back.
  await step('old gateway restarted', () => gateways[1].replaceBy(old, SETTINGS), 0);
  const reading = async () => {
    const read = await readAtOld(plan, gateways[1].url, mixedAt);
    if (read === 0) findings.add('wrong', 'nothing was there for the old gateway to read');
  };
  await step('reading at the old gateway', reading, 0);
  await step('last gateway', () => gateways[1].replaceBy(upgraded, NEW_SETTINGS), AFTER_MS);
  return steps;
}

async function checkMigrated(before: EarlierVersion, said: string, findings: Findings): Promise<void> {
  const after = await buildOf(ROOT);
  const same = sameBuild(before, after);
  if (same !== undefined) findings.add('wrong', same);
  for (const name of notApplied(before, after, said)) findings.add('wrong', `${name} was not applied`);
}

function details(record: UpgradeRecord, { tasks }: CallbackReceiver): Record<string, number> {
  return {
    acknowledged: countAcknowledged([...record.writes, ...record.removals]),
    reads: record.reading.length,
    removals: record.removals.length,
    tasks: tasks.size,
    callbacks: record.called.length,
  };
}
