/** Everything that can break does, one after the other, under clients whose histories must be linearizable. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import { lossBound } from '../checks/failover.ts';
import { faultsOf } from '../faults/catalogue.ts';
import { type InjectedFault, injectFaultsUntil, planFaults, slowestRecoveries } from '../faults/nemesis.ts';
import { type Site, withSite } from '../faults/site.ts';
import { type FamilyPlan, KeyPairLoad } from '../linearizability/family.ts';
import type { State } from '../linearizability/objects.ts';
import { describeEntry } from '../linearizability/operations.ts';
import { search } from '../linearizability/search.ts';
import { Client } from '../load/client.ts';
import { createContents } from '../load/contents.ts';
import { Findings } from '../report.ts';
import type { RunContext } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const MAX_CONCURRENT_FAMILIES = 8;
/** Families of one lane whose last responses are awaited while the next have begun. */
const MAX_CLOSING_FAMILIES = 16;
const DEFAULT_OPERATIONS = 20_000;
/** As an ordinary client: what has not answered by then may have happened. */
const PATIENCE_MS = 5000;
/** After the last fault, on a busy machine. */
const READY_TIMEOUT_MS = 20_000;
const EMPTY: State = [undefined, undefined];
/** How much of a history the report shows. */
const LAST_ENTRIES = 12;

interface Tally {
  operations: number;
  acknowledged: number;
  unknown: number;
  readonly ends: Map<string, End>;
}

/** What a family may have left. If some outcomes are unknown there may be more, and its history tells. */
interface End {
  readonly states: readonly State[];
  readonly keyPairLoad: KeyPairLoad | undefined;
}

export function runStorm(context: RunContext): Promise<[Findings, object]> {
  return withSite(context, async (site) => {
    const { options, random, say } = context;
    const { environment, gateways } = site;
    const findings = new Findings();
    const client = new Client(environment.account, environment.bucket, PATIENCE_MS);
    const stop = new AbortController();
    const tally: Tally = { operations: 0, acknowledged: 0, unknown: 0, ends: new Map() };
    const contents = createContents(options.seed);
    const plan = {
      client,
      bucket: environment.bucket,
      gateways,
      shunned: new Map(),
      contents,
      findings,
      stopped: stop.signal,
    };
    const lanes = Array.from({ length: MAX_CONCURRENT_FAMILIES }, (_, lane) =>
      playFamilies(plan, context, lane, tally),
    );
    const wanted = options.count ?? DEFAULT_OPERATIONS;
    const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
    const isOver = () => (end === undefined ? tally.operations >= wanted : Date.now() >= end);
    const faults = planFaults(random.fork('nemesis'), faultsOf(site, options.store));
    const told = (words: string) => say(`${tally.operations} operations; ${words}`);
    const struck: InjectedFault[] = [];
    const watching = { ...context, say: told, onStruck: (each: InjectedFault) => struck.push(each) };
    await injectFaultsUntil(isOver, faults, watching).finally(() => stop.abort());
    await Promise.all(lanes);
    say(`${tally.ends.size} families ended; looking at what is left`);
    await checkProcesses(site, findings);
    const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
    await checkEnds(site, tally, findings);
    await client.close();
    const { operations, acknowledged, unknown, ends } = tally;
    return [
      findings,
      {
        acknowledged,
        ...(findings.good ? { lossBelow: lossBound(acknowledged) } : {}),
        operations,
        unknown,
        families: ends.size,
        faults: struck.length,
        slowestRecoveryMs: slowestRecoveries(struck),
        ...cleared,
      },
    ];
  });
}

async function playFamilies(
  plan: FamilyPlan,
  { random }: RunContext,
  lane: number,
  tally: Tally,
): Promise<void> {
  const ending = new Set<Promise<void>>();
  for (let number = 0; !plan.stopped.aborted; number++) {
    const keyPairLoad = new KeyPairLoad(plan, `${lane}-${number}`);
    const ended = playFamily(keyPairLoad, plan, random, tally).finally(() => ending.delete(ended));
    ending.add(ended);
    await (ending.size < MAX_CLOSING_FAMILIES
      ? Promise.race([ended, keyPairLoad.full])
      : Promise.race(ending));
  }
  await Promise.all(ending);
}

async function playFamily(
  keyPairLoad: KeyPairLoad,
  { findings }: FamilyPlan,
  random: Random,
  tally: Tally,
): Promise<void> {
  const { history, name } = keyPairLoad;
  await keyPairLoad.play(random.fork(name));
  tally.operations += history.length;
  tally.acknowledged += history.filter(({ answer }) => answer === 'done').length;
  const unknown = history.filter(({ answer }) => answer === 'unknown').length;
  tally.unknown += unknown;
  tally.ends.set(name, {
    states: checkHistory(keyPairLoad, findings),
    keyPairLoad: unknown > 0 ? keyPairLoad : undefined,
  });
}

/** The states that its history may have led to; none if there is something in it that nothing explains. */
function checkHistory({ history, name }: KeyPairLoad, findings: Findings): readonly State[] {
  const { states, unexplained } = search(history, EMPTY);
  if (unexplained === undefined) return states;
  const file = path.join(tmpdir(), `millpond-history-${name}.json`);
  writeFileSync(file, JSON.stringify(history, undefined, 1));
  const last = history.filter(({ begunAt }) => begunAt <= unexplained.endedAt).slice(-LAST_ENTRIES);
  const words = [...last, unexplained].map(describeEntry).join('; ');
  findings.add('stale', `${name}: nothing explains the last of these (all in ${file}): ${words}`);
  return [];
}

/** None of them may have needed a restart that it did not get. */
async function checkProcesses({ processes }: Site, findings: Findings): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  for (const { name, server } of processes) {
    while (!(await server.isReady()) && Date.now() < end) await sleep(READY_TIMEOUT_MS / 100);
    if (!(await server.isReady())) findings.add('failed', `${name} is not ready after the last fault`);
  }
}

/** Much later, after packing, collector and sweep, every family is still as its history left it. */
async function checkEnds(
  { environment, gateways }: Site,
  { ends }: Tally,
  findings: Findings,
): Promise<void> {
  const keys = [...ends.keys()].flatMap((name) => KeyPairLoad.keysOf(name));
  const [gateway = ''] = gateways;
  const found = await readBack(environment, gateway, keys, findings);
  for (const [name, { states, keyPairLoad }] of ends) {
    const [left, right] = KeyPairLoad.keysOf(name).map((key) => found.get(key));
    for (const object of [left, right])
      if (object !== undefined && object.bytesHash !== object.hash)
        findings.add('torn', `${name}: the bytes of ${object.hash} are ${object.bytesHash}`);
    const isSo = ([one, other]: State) => one?.hash === left?.hash && other?.hash === right?.hash;
    // One without any was reported before.
    if (states.length === 0 || states.some(isSo)) continue;
    if (keyPairLoad === undefined || !(await keyPairLoad.listOnce(gateway)))
      findings.add(
        'lost',
        `${name}: ends as ${left?.hash} and ${right?.hash}, not as ${JSON.stringify(states)}`,
      );
    else checkHistory(keyPairLoad, findings);
  }
}
