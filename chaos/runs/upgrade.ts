/**
 * An upgrade as docs/production.md describes it: the version before serves, this version migrates the databases under load, then
 * the worker and the gateways are replaced one after another. Both versions serve together for a while, on the same databases:
 * nothing acknowledged may be lost, torn or stale, and no request may fail that one repetition elsewhere does not heal.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '@millpond/testing';
import { whatWasNoticed } from '../checks/failover.ts';
import { createContents } from '../load/contents.ts';
import { type EventReceiver, startEventReceiver } from '../load/events.ts';
import { Gateways } from '../load/gateways.ts';
import { NO_RULES, tellEverything } from '../load/object-events.ts';
import { ResumableClient } from '../load/resumable.ts';
import { KillableServer } from '../load/server.ts';
import { startToldReceiver, TELLING_SETTINGS, type ToldReceiver } from '../load/told.ts';
import { countAcknowledged } from '../load/writers.ts';
import { LONG_PERIODS, PACKED_SOON, type Place, type RunContext, withPlace } from '../place.ts';
import { Findings } from '../report.ts';
import { type ClientPlan, keepRequesting } from '../upgrade/clients.ts';
import { keepUploadingInParts } from '../upgrade/parts.ts';
import { createUpgradeRecord, type UpgradeRecord } from '../upgrade/record.ts';
import { checkUpgrade, readAtOld } from '../upgrade/verify.ts';
import { openVersion } from '../upgrade/version.ts';

const CLIENTS = 12;
const IN_PARTS = 3;
const BEFORE_MS = 2_000;
const AFTER_MS = 3_000;
const DEFAULT_MINUTES = 0.2;
const SETTINGS = {
  ...LONG_PERIODS,
  ...TELLING_SETTINGS,
  // Longer than a load balancer takes to notice.
  MILLPOND_DRAIN_DELAY: '2s',
};
const NEW_SETTINGS = { ...SETTINGS, ...PACKED_SOON };

export async function runUpgrade(context: RunContext): Promise<[Findings, object]> {
  const { options, say } = context;
  const before = await openVersion(options.from, say);
  try {
    say(`from ${before.name}`);
    return await withPlace(context, (place) => run(context, place, before.name), { checkout: before.folder });
  } finally {
    await before.remove();
  }
}

async function run(context: RunContext, place: Place, from: string): Promise<[Findings, object]> {
  const { options, random, say } = context;
  const findings = new Findings();
  const stop = new AbortController();
  const told = await startToldReceiver();
  const receiver = await startEventReceiver(random.fork('receiver'));
  const closing: { close(): Promise<void> }[] = [told, receiver];
  try {
    const servers = await startOld(place, receiver);
    if (!servers.hasRules) say('the version before has no event rules: no events of objects are looked for');
    const record = createUpgradeRecord();
    const gateways = new Gateways(servers.gateways);
    const resumable = new Map(
      servers.gateways.map(({ url }) => [url, new ResumableClient(url, place.account, place.bucket)]),
    );
    closing.push(...resumable.values());
    const contents = createContents(options.seed);
    const plan: ClientPlan = { ...place, gateways, contents, told, record, findings, stopped: stop.signal };
    const numbered = (count: number, begin: (n: number) => Promise<void>) =>
      Array.from({ length: count }, (_, n) => begin(n));
    const load = [
      gateways.watch(stop.signal),
      ...numbered(CLIENTS, (n) => keepRequesting(plan, n, random.fork(`client ${n}`))),
      ...numbered(IN_PARTS, (n) =>
        keepUploadingInParts({ ...plan, resumable }, n, random.fork(`in parts ${n}`)),
      ),
    ];
    const upgraded = place.deployment.upgraded();
    const steps = await upgrade(context, { old: place.deployment, upgraded, servers, plan }).finally(() =>
      stop.abort(),
    );
    await Promise.all(load);
    say(`${record.changing.length} changes and ${record.reading.length} reads ended; checking`);
    const checked = await checkUpgrade(
      context,
      { ...place, deployment: upgraded },
      {
        ...{ url: servers.gateways[0].url, record, told },
        arrivals: servers.hasRules ? receiver.arrivals : undefined,
        findings,
      },
    );
    return [findings, { ...details(record, told), from, steps, ...checked }];
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

async function startOld({ deployment, account, bucket }: Place, receiver: EventReceiver): Promise<Servers> {
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
  readonly old: Deployment;
  readonly upgraded: Deployment;
  readonly servers: Servers;
  readonly plan: ClientPlan;
}

/** Returns what each step did to the clients. */
async function upgrade(
  { options, say, signal }: RunContext,
  { old, upgraded, servers, plan }: Upgrading,
): Promise<object[]> {
  const { worker, gateways } = servers;
  const { record } = plan;
  const pauseMs = ((options.minutes ?? DEFAULT_MINUTES) * 60_000) / 3;
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  const steps: object[] = [];
  /** What a step does to clients also shows in the pause after it. */
  const step = async (name: string, act: () => Promise<unknown>, thenMs = pauseMs): Promise<void> => {
    say(name);
    const struckAt = Date.now();
    await act();
    const ms = Date.now() - struckAt;
    await pause(thenMs);
    const times = { struckAt, overAt: Date.now() };
    const { silentMs, failed, unhealed } = whatWasNoticed(record.changing, times);
    const reads = whatWasNoticed(record.reading, times);
    steps.push({ name, ms, silentMs, failed: failed + reads.failed, unhealed: unhealed + reads.unhealed });
  };
  await step('before', () => pause(BEFORE_MS), 0);
  await step('migrate', () => upgraded.run('migrate'));
  await step('worker', () => worker.replaceBy(upgraded, NEW_SETTINGS));
  const mixedAt = Date.now();
  await step('first gateway', () => gateways[0].replaceBy(upgraded, NEW_SETTINGS));
  // For a moment no process of the version before is connected: it must still be able to read everything when it is back.
  await step('old gateway restarted', () => gateways[1].replaceBy(old, SETTINGS), 0);
  await step('reading at the old gateway', () => readAtOld(plan, gateways[1].url, mixedAt), 0);
  await step('last gateway', () => gateways[1].replaceBy(upgraded, NEW_SETTINGS), AFTER_MS);
  return steps;
}

function details(record: UpgradeRecord, { tasks }: ToldReceiver): object {
  return {
    acknowledged: countAcknowledged([...record.writes, ...record.removals]),
    reads: record.reading.length,
    answers: Object.fromEntries(record.answers),
    tasks: tasks.size,
    callbacks: record.called.length,
  };
}
