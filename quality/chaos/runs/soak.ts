/**
 * Hours at 60 % of what it can do, with a fault now and then. In the end its memory, its latency, its tables and what it keeps in
 * the engine must be what they were in the beginning.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tableBytes } from '../engine/rows.ts';
import { faultsOf } from '../faults/catalogue.ts';
import { type InjectedFault, injectFaultsUntil, planFaults, slowestRecoveries } from '../faults/nemesis.ts';
import { type Site, withSite } from '../faults/site.ts';
import { Client } from '../load/client.ts';
import { createContents, MIB } from '../load/contents.ts';
import { Findings } from '../report.ts';
import type { RunContext } from '../run-environment.ts';
import { driftOf, type Minute, percentile } from '../soak/drift.ts';
import { keepRate, Lane, measureRate, type Timed } from '../soak/load.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const LANES = 32;
const DEFAULT_MINUTES = 120;
const LOAD_SHARE = 0.6;
const MEASURE_SECONDS = 20;
const CALM = { minMs: 15_000, maxMs: 45_000 };
const PATIENCE_MS = 5000;
/** After a fault, until its queues are worked off and its caches are full again. */
const SETTLE_MS = 5000;
const FEWEST_REQUESTS = 100;
const FEWEST_MINUTES = 20;
const MAX_MEMORY_GROWTH = 0.05;
const MAX_P99_GROWTH = 0.2;
const MAX_TABLE_GROWTH = 0.2;
/** Their memory shows drift, so they are not restarted. */
const NEVER_KILLED: readonly string[] = ['gateway 2', 'worker'];

export function runSoak(context: RunContext): Promise<[Findings, object]> {
  return withSite(context, async (site) => {
    const { options, random, say, signal } = context;
    const { environment, gateways } = site;
    const findings = new Findings();
    const client = new Client(environment.account, environment.bucket, PATIENCE_MS);
    const plan = { client, gateways, contents: createContents(options.seed), findings };
    const lanes = Array.from(
      { length: LANES },
      (_, n) => new Lane(plan, `lane${n}`, random.fork(`lane ${n}`)),
    );
    await measureRate(lanes, MEASURE_SECONDS);
    const most = await measureRate(lanes, MEASURE_SECONDS);
    const perSecond = Math.round(most * LOAD_SHARE);
    say(`${Math.round(most)} requests a second at most, ${perSecond} from now on`);
    const stop = new AbortController();
    const [minutes, struck]: [Minute[], InjectedFault[]] = [[], []];
    const record = new MinuteRecord();
    const load = keepRate(lanes, perSecond, stop.signal, (timed) => record.add(timed));
    const end = Date.now() + (options.minutes ?? DEFAULT_MINUTES) * 60_000;
    const isOver = () => Date.now() >= end;
    const faults = faultsOf(site, options.store).filter(
      (fault) => !NEVER_KILLED.some((name) => fault.name === `${name}: kill`),
    );
    const striking = injectFaultsUntil(isOver, planFaults(random.fork('nemesis'), faults, CALM), {
      signal,
      say,
      onStrike: () => record.beginFault(),
      onStruck(each) {
        struck.push(each);
        record.endFault();
      },
    });
    const sampling = (async () => {
      while (!isOver()) {
        await sleep(60_000, undefined, { signal });
        const minute = await sample(site, record.take(struck)).catch(String);
        // PostgreSQL may be away just now.
        if (typeof minute !== 'string') minutes.push(minute);
        say(`minute ${minutes.length}: ${JSON.stringify(minute)}`);
      }
    })();
    await Promise.all([striking, sampling]).finally(() => stop.abort());
    const late = await load;
    const drift = driftOf(minutes);
    if (minutes.length >= FEWEST_MINUTES) reportDrift(drift, findings);
    else say(`less than ${FEWEST_MINUTES} minutes say nothing about growth`);
    const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
    await checkLanes(site, lanes, findings);
    await client.close();
    return [
      findings,
      {
        acknowledged: record.answered,
        perSecond,
        late,
        unanswered: record.unanswered,
        faults: struck.length,
        slowestRecoveryMs: slowestRecoveries(struck),
        minutes: minutes.length,
        drift,
        first: minutes[0],
        last: minutes.at(-1),
        ...cleared,
      },
    ];
  });
}

/** The requests of the minute that runs. */
class MinuteRecord {
  answered = 0;
  unanswered = 0;
  #requests: Timed[] = [];
  /** When the fault that lasts began. */
  #struckAt = Number.POSITIVE_INFINITY;

  beginFault(): void {
    this.#struckAt = Date.now();
  }

  endFault(): void {
    this.#struckAt = Number.POSITIVE_INFINITY;
  }

  add(timed: Timed | undefined): void {
    if (timed === undefined) this.unanswered++;
    else {
      this.answered++;
      this.#requests.push(timed);
    }
  }

  /** Its 99th percentile without what overlapped a fault, and a new minute. */
  take(struck: readonly InjectedFault[]): number | undefined {
    const calm = this.#requests.filter(
      ({ begunAt, endedAt }) =>
        endedAt < this.#struckAt &&
        struck.every((fault) => endedAt < fault.struckAt || begunAt > fault.mendedAt + SETTLE_MS),
    );
    this.#requests = [];
    if (calm.length < FEWEST_REQUESTS) return undefined;
    return percentile(
      calm.map(({ begunAt, endedAt }) => endedAt - begunAt),
      0.99,
    );
  }
}

async function sample({ environment, processes }: Site, p99Ms: number | undefined): Promise<Minute> {
  const memory = processes
    .filter(({ name }) => NEVER_KILLED.includes(name))
    .map(({ name, server }) => [name, residentBytes(server.pid)] as const);
  const { blobs } = await environment.engineContent();
  return {
    p99Ms,
    machineMs: await fixedWork(),
    memory: Object.fromEntries(memory),
    tableBytes: await tableBytes(environment.regionUrl),
    blobs: blobs.size,
  };
}

const WORK = Buffer.alloc(MIB);
const WORK_TIMES = 15;

/** Milliseconds of the processor's time by the wall clock: the median of some, between which others have their turn. */
async function fixedWork(): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < WORK_TIMES; time++) {
    const begun = performance.now();
    createHash('sha256').update(WORK).digest();
    took.push(performance.now() - begun);
    await sleep(20);
  }
  return percentile(took, 0.5) ?? 0;
}

function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}

function reportDrift({ p99, memory, tables, blobs }: ReturnType<typeof driftOf>, findings: Findings): void {
  const check = (what: string, growth: number | undefined, most: number) => {
    if (growth !== undefined && growth > most)
      findings.add('wrong', `${what} grew by ${(growth * 100).toFixed(1)} %, more than ${most * 100} %`);
  };
  for (const [name, growth] of Object.entries(memory))
    check(`the memory of ${name}`, growth, MAX_MEMORY_GROWTH);
  check('the 99th percentile', p99, MAX_P99_GROWTH);
  check('the tables', tables, MAX_TABLE_GROWTH);
  check('the number of blobs', blobs, MAX_TABLE_GROWTH);
}

async function checkLanes(
  { environment, gateways }: Site,
  lanes: readonly Lane[],
  findings: Findings,
): Promise<void> {
  const expected = new Map(lanes.flatMap((lane) => [...lane.may]));
  const found = await readBack(environment, gateways[0] ?? '', expected.keys(), findings);
  for (const [key, may] of expected) {
    const object = found.get(key);
    if (!may.has(object?.hash ?? ''))
      findings.add('lost', `${key} is ${object?.hash}, not ${[...may].join()}`);
    else if (object !== undefined && object.bytesHash !== object.hash)
      findings.add('torn', `${key}: the bytes of ${object.hash} are ${object.bytesHash}`);
  }
}
