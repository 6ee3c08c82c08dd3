/** What an upgrade must have left: all that was acknowledged, in order, readable by either version, and told. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../checks/events.ts';
import { type Change, checkObjectEvents } from '../checks/object-events.ts';
import { checkObjects } from '../checks/objects.ts';
import { checkRemovals } from '../checks/removals.ts';
import { checkVersions } from '../checks/versions.ts';
import { allVersions, storedHashes, untoldEvents } from '../engine/rows.ts';
import { type CallbackReceiver, untold } from '../load/callback-receiver.ts';
import { codeOf } from '../load/client.ts';
import { toldChange, untilTold } from '../load/object-events.ts';
import type { Findings } from '../report.ts';
import type { RunContext, RunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack, untilMerged } from '../verify.ts';
import { type ClientPlan, OVERWRITTEN } from './clients.ts';
import type { UpgradeRecord } from './record.ts';

const MAX_CONCURRENT_READS = 4;
const EVENT_TIMEOUT_MS = 60_000;

/** All that was acknowledged since then, by either version, is read by the old one. Returns how many objects that are. */
export async function readAtOld(
  { client, record, findings }: ClientPlan,
  url: string,
  since: number,
): Promise<number> {
  const kept = record.kept.filter(({ at }) => at >= since);
  const wanted = kept.values();
  const reader = async (): Promise<void> => {
    for (const { key, hash } of wanted)
      try {
        const { bytesHash } = await client.get(url, key);
        if (bytesHash !== hash) findings.add('torn', `${key} was read as ${bytesHash} by the old version`);
      } catch (error) {
        findings.add('missing', `${key} can't be read by the old version: ${codeOf(error)}`);
      }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, reader));
  return kept.length;
}

interface ReceivedEvent {
  /** Address of a gateway. */
  readonly url: string;
  readonly record: UpgradeRecord;
  readonly told: CallbackReceiver;
  /** Tells archive objects, of which only the records can be read. */
  readonly isFrozen: (key: string) => boolean;
  /** Absent: the version before has no rules by which events are told. */
  readonly arrivals: readonly Arrival[] | undefined;
  readonly findings: Findings;
}

export async function checkUpgrade(
  context: RunContext,
  environment: RunEnvironment,
  all: ReceivedEvent,
): Promise<object> {
  const { url, record, findings, isFrozen } = all;
  const { regionUrl } = environment;
  await checkTold(context, environment, all);
  const isOverwritten = ({ key }: { key: string }) => OVERWRITTEN.includes(key);
  const versions = (await allVersions(regionUrl)).filter(isOverwritten);
  const writes = record.writes.filter(isOverwritten);
  checkVersions({ writes, reads: record.reads, versions }, findings);
  const { arrivals } = all;
  const events = arrivals === undefined ? {} : await checkEventsOfObjects(regionUrl, { ...all, arrivals });
  await untilMerged(environment, findings);
  const cleared = await collectAndVerify(context, environment, findings, { crashed: false });
  // Last, to reveal what collector and sweep took by mistake.
  const written = record.writes.map(({ key }) => key);
  const found = await readBack(environment, url, written, findings, isFrozen);
  for (const key of record.results)
    if (!found.has(key)) findings.add('lost', `${key}, the result of a task, is not there`);
  const left = checkRemovals(record.removals, record.writes, found, findings);
  const keys = new Set(left.map(({ key }) => key));
  checkObjects(left, new Map([...found].filter(([key]) => keys.has(key))), findings);
  return { versions: versions.length, ...events, objects: found.size, ...cleared };
}

/** Tasks end, and their ends and callbacks are told. */
async function checkTold(
  context: RunContext,
  { regionUrl }: RunEnvironment,
  { record, told, findings }: ReceivedEvent,
): Promise<void> {
  const end = Date.now() + EVENT_TIMEOUT_MS;
  while (untold(record, told).length > 0 && Date.now() < end)
    await sleep(250, undefined, { signal: context.signal });
  for (const each of untold(record, told)) findings.add('lost', each);
  for (const [id, code] of told.tasks)
    if (code !== 0) findings.add('failed', `task ${id} ended with code ${code}`);
  await untilTold(context, regionUrl);
  const waiting = await untoldEvents(regionUrl);
  if (waiting > 0) findings.add('lost', `${waiting} events wait, and nothing is sent any more`);
}

/** Checks the events of all objects except the results of tasks: clients don't know when those were made. */
async function checkEventsOfObjects(
  regionUrl: string,
  { record, arrivals, findings }: ReceivedEvent & { readonly arrivals: readonly Arrival[] },
): Promise<{ events: number; repeated: number }> {
  const changes: Change[] = [];
  for (const { key, hash, outcome } of record.writes)
    if (outcome !== 'refused') changes.push({ key, hash, outcome });
  for (const { key, outcome } of record.removals) changes.push({ key, hash: undefined, outcome });
  const keys = new Set(changes.map(({ key }) => key));
  const told = arrivals.map(toldChange).filter(({ key }) => keys.has(key));
  const stored = new Map([...(await storedHashes(regionUrl))].filter(([key]) => keys.has(key)));
  const repeated = checkObjectEvents({ changes, arrivals: told, stored, kills: [] }, findings);
  return { events: told.length, repeated };
}
