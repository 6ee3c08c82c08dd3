/** The end of every run: reads everything back, lets collector and sweep do their work, and looks into the engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundObject } from './checks/objects.ts';
import { checkResidue } from './checks/residue.ts';
import { checkSmall } from './checks/small.ts';
import { namedBlobs, objectKeys, smallRows, trashCount, unmergedCount } from './engine/rows.ts';
import { codeOf } from './load/client.ts';
import type { Findings } from './report.ts';
import { type RunContext, type RunEnvironment, SWEEP_AGE_MS } from './run-environment.ts';

const MAX_CONCURRENT_READS = 8;
/** Covers the trash's grace period. */
const MARGIN_MS = 1500;
/** Jobs of a killed process are taken over after its lease has expired. */
const MERGE_TIMEOUT_MS = 180_000;
/** More than packs are rewritten one after the other. */
const MAX_SWEEPS = 5;

/**
 * Every object that exists or should, by its record and its bytes. One that cannot be read is a finding, and counts as
 * absent. For those that `isFrozen` names, only the record can be read.
 */
export async function readBack(
  { client, regionUrl }: Pick<RunEnvironment, 'client' | 'regionUrl'>,
  url: string,
  expected: Iterable<string>,
  findings: Findings,
  isFrozen: (key: string) => boolean = () => false,
): Promise<Map<string, FoundObject>> {
  const keys = new Set([...expected, ...(await objectKeys(regionUrl))]).values();
  const found = new Map<string, FoundObject>();
  const reader = async (): Promise<void> => {
    for (const key of keys) {
      try {
        const record = await client.stat(url, key);
        if (record === undefined) continue;
        const bytes = isFrozen(key)
          ? { bytesHash: record.hash, bytesSize: record.fsize }
          : await client.get(url, key);
        found.set(key, { ...record, ...bytes });
      } catch (error) {
        findings.add('missing', `${key} can't be read: ${codeOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, reader));
  return found;
}

export interface CleanupCounts {
  /** What the engine held before the last sweep that no row referred to: a sign that the faults hit. */
  readonly interrupted: number;
  readonly blobs: number;
  readonly packed: number;
  readonly collected: number;
  readonly swept: number;
}

/**
 * Cleans up as an operator would and compares the engine with the rows. After crashes it first waits until the sweep
 * may take what they left; if nothing crashed, nothing may need the sweep.
 */
export async function collectAndVerify(
  { say, signal }: RunContext,
  environment: RunEnvironment,
  findings: Findings,
  { crashed }: { crashed: boolean },
): Promise<CleanupCounts> {
  // Rows first: what the collector removes in between is gone from the engine before its row is.
  const namedBefore = new Set((await namedBlobs(environment.regionUrl)).map(({ id }) => id));
  const before = await environment.engineContent();
  const unnamed = [...before.blobs.keys()].filter((id) => !namedBefore.has(id)).length;
  say(`${unnamed} unreferenced blobs and ${before.unfinished.length} unfinished writes before the sweep`);
  await sleep(crashed ? SWEEP_AGE_MS + MARGIN_MS : MARGIN_MS, undefined, { signal });
  const swept = await sweepAll(environment, signal);
  const [engine, named] = [await environment.engineContent(), await namedBlobs(environment.regionUrl)];
  checkResidue(engine, named, findings);
  checkSmall(await smallRows(environment.regionUrl), findings);
  const trash = await trashCount(environment.regionUrl);
  for (let row = 0; row < trash; row++)
    findings.add('uncollected', 'a row of the trash is due but still there');
  return { interrupted: unnamed + before.unfinished.length, blobs: engine.blobs.size, ...swept };
}

type Swept = Pick<CleanupCounts, 'packed' | 'collected' | 'swept'>;

/**
 * Until the trash is empty: what a sweep collects leaves holes in packs, and a pack that was rewritten is in the trash for the
 * grace period, also if a worker did it in the meantime.
 */
async function sweepAll({ deployment, regionUrl }: RunEnvironment, signal: AbortSignal): Promise<Swept> {
  const all = { packed: 0, collected: 0, swept: 0 };
  for (let sweeps = 1; ; sweeps++) {
    const swept = JSON.parse(await deployment.run('sweep', '--everything', '--json')) as Swept;
    all.packed += swept.packed;
    all.collected += swept.collected;
    all.swept += swept.swept;
    if (sweeps === MAX_SWEEPS || (await trashCount(regionUrl)) === 0) return all;
    await sleep(MARGIN_MS, undefined, { signal });
  }
}

/** Until the bytes of every object are in one piece. */
export async function untilMerged(
  { regionUrl }: Pick<RunEnvironment, 'regionUrl'>,
  findings: Findings,
): Promise<void> {
  const end = Date.now() + MERGE_TIMEOUT_MS;
  for (;;) {
    const left = await unmergedCount(regionUrl);
    if (left === 0) return;
    if (Date.now() > end) {
      findings.add('failed', `${left} objects were not merged`);
      return;
    }
    await sleep(500);
  }
}
