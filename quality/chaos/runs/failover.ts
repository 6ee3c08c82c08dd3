/**
 * The loss of a machine with PostgreSQL under two gateways and two workers: uploads, overwrites, reads, tasks, callbacks and
 * events go on, and every write that was acknowledged is looked for afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventProducer } from '@millpond/testing';
import { type AddedEvent, checkEvents } from '../checks/events.ts';
import { type FailoverTimes, lossBound, whatWasNoticed } from '../checks/failover.ts';
import { checkObjects } from '../checks/objects.ts';
import { Cluster } from '../cluster/cluster.ts';
import { type FailoverFault, faults } from '../cluster/faults.ts';
import type { Machine } from '../cluster/machine.ts';
import { requirePrograms } from '../cluster/programs.ts';
import { startCallbackReceiver, TELLING_SETTINGS, untold } from '../load/callback-receiver.ts';
import { createContents } from '../load/contents.ts';
import { keepAdding, startEventReceiver } from '../load/events.ts';
import { createLoadRecord, keepReading, keepWriting, type LoadPlan } from '../load/retrying-writers.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged } from '../load/writers.ts';
import { Findings } from '../report.ts';
import {
  LONG_PERIODS,
  type RunContext,
  type RunEnvironment,
  withRunEnvironment,
} from '../run-environment.ts';
import { readBack } from '../verify.ts';

const WRITERS = 12;
const READERS = 2;
const LANES = 3;
const BEFORE_MS = 6_000;
/** How long the lost machine stays away after another has taken over. */
const AWAY_MS = 10_000;
const AFTER_MS = 4_000;
const TAKEOVER_TIMEOUT_MS = 120_000;
const EVENT_TIMEOUT_MS = 120_000;
const SETTINGS = { ...LONG_PERIODS, ...TELLING_SETTINGS };

interface Failover extends FailoverTimes {
  readonly old: string;
  readonly new?: string;
  /** Whether all three were there again in the end. */
  readonly isWhole: boolean;
}

export async function runFailover(context: RunContext): Promise<[Findings, object]> {
  const { options, say, signal } = context;
  requirePrograms(options.patroni);
  const fault: FailoverFault = faults[options.fault];
  say('starting three machines with etcd, Patroni and PostgreSQL');
  const cluster = await Cluster.start({
    patroni: options.patroni,
    networks: fault.needsNetworks ?? false,
    signal,
  });
  try {
    return await withRunEnvironment(context, (environment) => run(context, environment, cluster), {
      databaseServer: cluster.url,
    });
  } finally {
    say('removing the cluster');
    await cluster.destroy();
  }
}

async function run(
  context: RunContext,
  environment: RunEnvironment,
  cluster: Cluster,
): Promise<[Findings, object]> {
  const { options, random, say, signal } = context;
  const { client, regionUrl } = environment;
  const findings = new Findings();
  const stop = new AbortController();
  const told = await startCallbackReceiver();
  const receiver = await startEventReceiver(random.fork('receiver'));
  const producer = openEventProducer(regionUrl);
  try {
    const servers = await startServers(environment, cluster, options.via);
    const record = createLoadRecord();
    const added: AddedEvent[] = [];
    const plan: LoadPlan = {
      client,
      gateways: servers,
      contents: createContents(options.seed),
      told,
      stopped: stop.signal,
    };
    const { uid } = environment.account;
    const load = [
      ...numbers(WRITERS).map((n) => keepWriting(plan, record, n, random.fork(`writer ${n}`))),
      ...numbers(READERS).map((n) => keepReading(plan, record, random.fork(`reader ${n}`), findings)),
      ...numbers(LANES).map((n) => {
        const lane = { uid, url: receiver.url, entity: `lane${n}`, endpoint: 'failover' };
        return keepAdding(producer, { ...lane, random: random.fork(`lane ${n}`) }, added, stop.signal);
      }),
    ];
    const failovers: Failover[] = [];
    let isWhole = true;
    while (isWhole && failovers.length < options.kills) {
      const failover = await failOver(context, cluster);
      failovers.push(failover);
      isWhole = failover.isWhole;
    }
    if (!isWhole) findings.add('wrong', 'the lost machine did not become a standby again');
    stop.abort();
    await Promise.all(load);
    say(`${record.attempts.length} uploads ended, reading back`);
    const written = record.writes.map(({ key }) => key);
    const found = await readBack(environment, servers[0] ?? '', written, findings);
    const sent = new Set(written);
    checkObjects(record.writes, new Map([...found].filter(([key]) => sent.has(key))), findings);
    const isTold = () => untold(record, told).length === 0 && missing(added, receiver.arrivals).length === 0;
    const end = Date.now() + EVENT_TIMEOUT_MS;
    while (!isTold() && Date.now() < end) await sleep(250, undefined, { signal });
    for (const each of untold(record, told)) findings.add('lost', each);
    const struck = failovers.flatMap(({ struckAt, primaryAt, overAt }) => [
      struckAt,
      overAt,
      ...(primaryAt === undefined ? [] : [primaryAt]),
    ]);
    const repeated = checkEvents(added, receiver.arrivals, struck, findings);
    const acknowledged = countAcknowledged(record.writes);
    return [
      findings,
      {
        acknowledged,
        // It holds only where nothing was lost.
        ...(findings.count('lost') > 0 ? {} : { lossBelow: lossBound(acknowledged) }),
        fault: options.fault,
        via: options.via,
        failovers: failovers.map((each) => ({ ...wordsOf(each), ...whatWasNoticed(record.attempts, each) })),
        answers: Object.fromEntries(record.answers),
        reads: record.reads,
        failedReads: record.failedReads,
        tasks: record.tasks.length,
        callbacks: record.called.length,
        events: added.length,
        repeated,
      },
    ];
  } finally {
    stop.abort();
    await Promise.all([told.close(), receiver.close(), producer.close()]);
  }
}

async function startServers(
  environment: RunEnvironment,
  cluster: Cluster,
  via: 'hosts' | 'haproxy',
): Promise<string[]> {
  const { MILLPOND_CONTROL_DB: control = '', MILLPOND_REGION_DB: region = '' } =
    environment.deployment.environment;
  const urls =
    via === 'haproxy'
      ? {}
      : { MILLPOND_CONTROL_DB: cluster.withHosts(control), MILLPOND_REGION_DB: cluster.withHosts(region) };
  const settings = { ...SETTINGS, ...urls };
  const gateways: string[] = [];
  for (let number = 0; number < 2; number++) {
    gateways.push((await KillableServer.start(environment.deployment, settings, ['serve', '--no-work'])).url);
    await KillableServer.start(environment.deployment, settings, ['work']);
  }
  return gateways;
}

/** One fault, from a whole cluster to a whole cluster. */
async function failOver({ options, say, signal }: RunContext, cluster: Cluster): Promise<Failover> {
  const fault: FailoverFault = faults[options.fault];
  await cluster.untilWhole();
  await sleep(BEFORE_MS, undefined, { signal });
  const old = await (fault.victim === 'primary' ? cluster.primary() : cluster.synchronous());
  if (old === undefined) throw new Error(`the cluster has no ${fault.victim}`);
  const struckAt = Date.now();
  say(`${options.fault} of ${old.name}`);
  const striking = fault.strike(old, cluster.network);
  const taken = fault.victim === 'primary' ? await takenOver(cluster, old, fault.moves, signal) : undefined;
  await striking;
  if (taken !== undefined) say(`${taken.machine.name} takes writes after ${taken.at - struckAt} ms`);
  await sleep(AWAY_MS, undefined, { signal });
  await fault.mend(old, cluster.network);
  // What was acknowledged is looked for in any case.
  const isWhole = await cluster.untilWhole().then(
    () => true,
    () => false,
  );
  say(isWhole ? `${old.name} is back` : `${old.name} does not come back`);
  await sleep(AFTER_MS, undefined, { signal });
  return {
    struckAt,
    overAt: Date.now(),
    old: old.name,
    isWhole,
    ...(taken === undefined ? {} : { primaryAt: taken.at, new: taken.machine.name }),
  };
}

/** Which machine takes writes from now on; if none has to take over, the same one may. */
async function takenOver(
  { machines }: Cluster,
  old: Machine,
  moves: boolean,
  signal: AbortSignal,
): Promise<{ machine: Machine; at: number }> {
  const end = Date.now() + TAKEOVER_TIMEOUT_MS;
  const candidates = machines.filter((machine) => !moves || machine !== old);
  while (Date.now() < end) {
    const found = await Promise.all(
      candidates.map(async (machine) => ((await machine.takesWrites()) ? machine : undefined)),
    );
    const machine = found.find((each) => each !== undefined);
    if (machine !== undefined) return { machine, at: Date.now() };
    await sleep(50, undefined, { signal });
  }
  throw new Error('no machine took over');
}

/** Ids of events that were committed and have not arrived. */
function missing(added: readonly AddedEvent[], arrivals: readonly { readonly id: string }[]): string[] {
  const arrived = new Set(arrivals.map(({ id }) => id));
  return added.filter(({ id, outcome }) => outcome === 'committed' && !arrived.has(id)).map(({ id }) => id);
}

function wordsOf({ old, new: taken, struckAt, primaryAt }: Failover): object {
  return { old, ...(primaryAt === undefined ? {} : { new: taken, primaryMs: primaryAt - struckAt }) };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
