/**
 * Two regions with one control database. One region is killed whole, and the other must not notice; the control database is
 * away, and neither may notice. What was made meanwhile (an account, a key, a bucket in the region that is away) must be right
 * when it is back, and all that was acknowledged must be there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import {
  type Account,
  createDeployment,
  type Deployment,
  freePort,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { Cell } from '../cells/cell.ts';
import { lossBound } from '../checks/failover.ts';
import { checkObjects } from '../checks/objects.ts';
import { objectCountsByBucket } from '../engine/rows.ts';
import { untold } from '../load/callback-receiver.ts';
import { countAcknowledged } from '../load/writers.ts';
import { Findings } from '../report.ts';
import type { RunContext } from '../run-environment.ts';
import { readBack } from '../verify.ts';

const BEFORE_MS = 5_000;
const AFTER_MS = 5_000;
const DEFAULT_MINUTES = 0.5;
const EVENT_TIMEOUT_MS = 120_000;
/** Longer than a gateway caches what the control database says. */
const CACHED_MS = 6_000;

/** A time in which a cell may not fail. */
interface Stretch {
  readonly name: string;
  readonly cell: Cell;
  readonly failedReads: number;
  readonly from: number;
  readonly until: number;
}

export async function runCells(context: RunContext): Promise<[Findings, object]> {
  const { options, say } = context;
  const log = options.log ? 'inherit' : 'ignore';
  say('starting the control database and two regions');
  const control = await startSparePostgres(await freePort());
  const cells: Cell[] = [];
  let head: Deployment | undefined;
  try {
    // Only its control database is used.
    head = await createDeployment({ store: 'disk', databaseServer: control.url, log });
    const controlUrl = head.environment.MILLPOND_CONTROL_DB ?? '';
    for (const region of ['z0', 'z1'])
      cells.push(await Cell.start({ region, store: options.store, controlUrl, log }));
    const [near, far] = cells;
    if (near === undefined || far === undefined) throw new Error('a cell is missing');
    return await run(context, { control, near, far });
  } finally {
    say('removing everything');
    await Promise.allSettled([...cells.map((cell) => cell.destroy()), head?.destroy()]);
    await control.destroy();
  }
}

interface Parts {
  readonly control: SparePostgres;
  readonly near: Cell;
  readonly far: Cell;
}

async function run(context: RunContext, { control, near, far }: Parts): Promise<[Findings, object]> {
  const { options, random, say, signal } = context;
  const findings = new Findings();
  const stop = new AbortController();
  const awayMs = (options.minutes ?? DEFAULT_MINUTES) * 60_000;
  const stretches: Stretch[] = [];
  const wait = (ms: number) => sleep(ms, undefined, { signal });
  const load = [near, far].map((cell) => cell.load(options.seed, random, findings, stop.signal));
  try {
    await wait(BEFORE_MS);
    say(`region ${far.region} is killed whole`);
    const ofNear = beginStretch(`while ${far.region} was away`, near);
    await far.kill();
    const cellObject = await makeMeanwhile(near, far.region, findings);
    await wait(awayMs);
    stretches.push(ofNear());
    say(`region ${far.region} comes back`);
    const backAt = Date.now();
    await far.comeBack();
    const backMs = Date.now() - backAt;
    await checkMade(far, cellObject, findings);
    await wait(AFTER_MS);

    say('the control database is killed');
    const ofBoth = [near, far].map((cell) => beginStretch('without the control database', cell));
    await control.kill();
    await wait(awayMs);
    stretches.push(...ofBoth.map((end) => end()));
    say('the control database comes back');
    await control.start();
    await wait(AFTER_MS);
    await checkMade(far, await makeMeanwhile(near, far.region, findings), findings);
    stop.abort();
    await Promise.all(load);

    say('reading back');
    for (const stretch of stretches) checkStretch(stretch, findings);
    for (const cell of [near, far]) await checkKept(cell, findings);
    await checkApart(near, far, findings);
    await untilTold([near, far], signal);
    for (const each of [near, far].flatMap(({ record, told }) => untold(record, told)))
      findings.add('lost', each);
    const acknowledged = [near, far].reduce((sum, { record }) => sum + countAcknowledged(record.writes), 0);
    return [
      findings,
      {
        acknowledged,
        ...(findings.count('lost') > 0 ? {} : { lossBelow: lossBound(acknowledged) }),
        awaySeconds: awayMs / 1000,
        regionBackMs: backMs,
        stretches: stretches.map(({ name, cell, from, until }) => ({
          name,
          region: cell.region,
          uploads: cell.record.attempts.filter(({ begunAt }) => begunAt >= from && begunAt < until).length,
        })),
        reads: near.record.reads + far.record.reads,
        tasks: near.record.tasks.length + far.record.tasks.length,
        callbacks: near.record.called.length + far.record.called.length,
      },
    ];
  } finally {
    stop.abort();
    await Promise.allSettled(load);
  }
}

interface CellObject {
  readonly account: Account;
  readonly bucket: string;
  /** A key that was disabled. */
  readonly disabled: Pick<Account, 'accessKey' | 'secretKey'>;
}

let count = 0;

/** An account with a second, disabled key and a bucket in the other region. */
async function makeMeanwhile(near: Cell, region: string, findings: Findings): Promise<CellObject> {
  const account = await near.deployment.createAccount(`made-${++count}@example.com`);
  const key = JSON.parse(
    await near.deployment.run('key', 'create', account.email, '--kind', 'root', '--json'),
  ) as {
    accessKey: string;
    secretKey: string;
  };
  await near.deployment.run('key', 'disable', key.accessKey);
  const bucket = `made-meanwhile-${count}`;
  const [gateway] = near.gateways;
  const created = await signedFetch(gateway, account, `/mkbucketv3/${bucket}/region/${region}`);
  if (created.status !== 200)
    findings.add('failed', `a bucket in ${region}: ${created.status} ${await created.text()}`);
  return { account, bucket, disabled: key };
}

async function checkMade(
  far: Cell,
  { account, bucket, disabled }: CellObject,
  findings: Findings,
): Promise<void> {
  await sleep(CACHED_MS);
  for (const gateway of far.gateways) {
    const put = (by: Pick<Account, 'accessKey' | 'secretKey'>) =>
      uploadForm(gateway, 'content', {
        token: uploadToken({ ...account, ...by }, { scope: bucket }),
        key: 'k',
      });
    const [good, refused] = [await put(account), await put(disabled)];
    if (good.status !== 200)
      findings.add('wrong', `an upload by the new account: ${good.status} ${await good.text()}`);
    if (refused.status !== 401)
      findings.add('wrong', `an upload by a disabled key: ${refused.status} ${await refused.text()}`);
  }
}

/** Returns how to end it. */
function beginStretch(name: string, cell: Cell): () => Stretch {
  const [from, failedBefore] = [Date.now(), cell.record.failedReads];
  return () => {
    const failedReads = cell.record.failedReads - failedBefore;
    return { name, cell, from, until: Date.now(), failedReads };
  };
}

function checkStretch({ name, cell, from, until, failedReads }: Stretch, findings: Findings): void {
  if (failedReads > 0) findings.add('failed', `${name}: ${failedReads} reads in ${cell.region}`);
  const { attempts } = cell.record;
  const within = attempts.filter(({ begunAt, endedAt }) => endedAt >= from && begunAt < until);
  for (const { begunAt, endedAt } of within.filter(({ isGood }) => !isGood))
    findings.add(
      'failed',
      `${name}: an upload in ${cell.region} after ${begunAt - from} ms, for ${endedAt - begunAt} ms`,
    );
  if (!within.some(({ isGood }) => isGood)) findings.add('failed', `${name}: no upload in ${cell.region}`);
}

async function checkKept(cell: Cell, findings: Findings): Promise<void> {
  const written = cell.record.writes.map(({ key }) => key);
  const found = await readBack(cell, cell.gateways[0], written, findings);
  const sent = new Set(written);
  checkObjects(cell.record.writes, new Map([...found].filter(([key]) => sent.has(key))), findings);
}

/** Nothing of a bucket is in the other region's database. */
async function checkApart(near: Cell, far: Cell, findings: Findings): Promise<void> {
  const [here, there] = [
    await objectCountsByBucket(near.regionUrl),
    await objectCountsByBucket(far.regionUrl),
  ];
  for (const bucket of here.keys())
    if (there.has(bucket)) findings.add('misplaced', `bucket ${bucket} has objects in both regions`);
}

async function untilTold(cells: readonly Cell[], signal: AbortSignal): Promise<void> {
  const end = Date.now() + EVENT_TIMEOUT_MS;
  while (cells.some(({ record, told }) => untold(record, told).length > 0) && Date.now() < end)
    await sleep(250, undefined, { signal });
}
