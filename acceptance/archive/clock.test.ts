/** Restores go by the database's clock: in real time, made faster, across restarts and with gateways gone wrong. */
import path from 'node:path';
import { formatEntry } from '@millpond/protocol';
import { createDeployment, type Deployment, finishCommand, type ServerProcess } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ArchiveObject,
  archived,
  get,
  restoreAr,
  type Site,
  useArchiveRows,
} from '../support/archive.ts';
import { expectEmpty } from '../support/change-metadata.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'clocks';
/** Twelve hours become ten seconds, a day becomes twenty. */
const FACTOR = 4320;
const HOUR_MS = 3_600_000;
const CLOCK_JUMP = path.join(import.meta.dirname, '../support/clock-jump.ts');

let deployment: Deployment;
let site: Site;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    // It loses its connections on purpose.
    log: 'ignore',
    settings: { MILLPOND_TIME_FACTOR: String(FACTOR), MILLPOND_RESTORE_DEEP_ARCHIVE: '12h' },
  });
  const account = await deployment.createAccount(undefined, BUCKET);
  site = { account, url: (await deployment.start()).url };
});
afterAll(() => deployment?.destroy());
const rows = useArchiveRows(() => deployment.environment.MILLPOND_REGION_DB ?? '');

/** A gateway whose clock is right at first, and then off by so many hours. */
async function startJumping(hours: number): Promise<ServerProcess> {
  const gateway = await deployment.start({
    args: ['serve', '--no-work'],
    settings: {
      NODE_OPTIONS: `--import=${CLOCK_JUMP}`,
      MILLPOND_TEST_CLOCK_JUMP: String(hours * HOUR_MS),
    },
  });
  process.kill(gateway.pid, 'SIGUSR2');
  return gateway;
}

async function statusAt(url: string, { key }: ArchiveObject): Promise<number | undefined> {
  const call = { method: 'GET', target: `/stat/${formatEntry(BUCKET, key)}` };
  const answer = await sendSigned(call, { url, keys: site.account });
  expect(answer.status).toBe(200);
  return (answer.json() as { restoreStatus?: number }).restoreStatus;
}

const phases = ['restoring', 'restored', 'frozen'] as const;
type Phase = (typeof phases)[number];
const expected = {
  restoring: { status: 403, restoreStatus: 1 },
  restored: { status: 200, restoreStatus: 2 },
  frozen: { status: 403, restoreStatus: undefined },
} as const;

/** Looks at the object through a gateway; undefined where a phase began or ended meanwhile. */
async function look(
  url: string,
  object: ArchiveObject,
  { readyAt, endsAt }: { readyAt: number; endsAt: number },
): Promise<Phase | undefined> {
  const begun = Date.now();
  // HEAD and not GET: an engine refuses the requests of a gateway whose clock is wrong, whatever the object's state.
  const { status } = await get(object, url, 'HEAD');
  const restoreStatus = await statusAt(url, object);
  const ended = Date.now();
  const phase =
    ended < readyAt
      ? 'restoring'
      : begun > readyAt && ended < endsAt
        ? 'restored'
        : begun > endsAt
          ? 'frozen'
          : undefined;
  if (phase !== undefined) expect({ phase, status, restoreStatus }).toEqual({ phase, ...expected[phase] });
  return phase;
}

test('a window opens and ends on time at every gateway: restarted, hours ahead, hours behind [restore-rule-05 restore-rule-08 G25]', {
  timeout: 180_000,
}, async () => {
  const object = await archived(3, 'content', { bucket: BUCKET, site });
  const [ahead, behind] = [await startJumping(6), await startJumping(-6)];
  let restarted = await deployment.start({ args: ['serve', '--no-work'] });
  const begun = Date.now();
  expectEmpty(await restoreAr(object, 1, { url: ahead.url, keys: site.account }));
  const times = await rows.restoreTimes(object.key);
  if (times === undefined) throw new Error('there is no restore');
  const called = Date.now();
  const [restoreMs, windowMs] = [(12 * HOUR_MS) / FACTOR, (24 * HOUR_MS) / FACTOR];
  expect(times.readyAt).toBeGreaterThanOrEqual(begun + restoreMs - 5);
  expect(times.readyAt).toBeLessThanOrEqual(called + restoreMs + 5);
  expect(times.endsAt - times.readyAt).toBeCloseTo(windowMs, 0);

  const seen = new Set<string>();
  let isRestarted = false;
  while (Date.now() < times.endsAt + 2000 || seen.size < 9) {
    for (const [name, url] of Object.entries({
      ahead: ahead.url,
      behind: behind.url,
      restarted: restarted.url,
    })) {
      const phase = await look(url, object, times);
      if (phase !== undefined) seen.add(`${name} ${phase}`);
    }
    if (!isRestarted && Date.now() > times.readyAt) {
      await restarted.kill('SIGKILL');
      restarted = await deployment.start({ args: ['serve', '--no-work'] });
      isRestarted = true;
    }
    if (Date.now() > times.endsAt + 60_000) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const gateways = ['ahead', 'behind', 'restarted'];
  expect([...seen].toSorted()).toEqual(
    gateways.flatMap((name) => phases.map((phase) => `${name} ${phase}`)).toSorted(),
  );
});

test('connections that the database broke change nothing [G25]', { timeout: 120_000 }, async () => {
  const object = await archived(3, 'content', { bucket: BUCKET, site });
  expectEmpty(await restoreAr(object, 7, { url: site.url, keys: site.account }));
  const before = await rows.restoreTimes(object.key);
  await rows.breakConnections();
  await expect
    .poll(async () => (await get(object, site.url)).status, { timeout: 60_000, interval: 100 })
    .toBe(200);
  expect(Date.now()).toBeGreaterThanOrEqual((before?.readyAt ?? 0) - 5);
  expect(await rows.restoreTimes(object.key)).toMatchObject({
    readyAt: before?.readyAt,
    endsAt: before?.endsAt,
  });
});

describe('the settings', () => {
  test.each([
    ['MILLPOND_RESTORE_ARCHIVE', '59s', 'from 1m to 5m'],
    ['MILLPOND_RESTORE_ARCHIVE', '6m', 'from 1m to 5m'],
    ['MILLPOND_RESTORE_DEEP_ARCHIVE', '4h', 'from 5h to 12h'],
    ['MILLPOND_RESTORE_DEEP_ARCHIVE', '13h', 'from 5h to 12h'],
    ['MILLPOND_TIME_FACTOR', '0', 'from 1 to'],
    ['MILLPOND_TIME_FACTOR', '0.5', 'from 1 to'],
  ])('%s=%s is refused at start [restore-rule-04]', async (name, value, hint) => {
    const { code, stderr } = await finishCommand({ ...deployment.environment, [name]: value }, ['serve']);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`${name}: "${value}" must be`);
    expect(stderr).toContain(hint);
  });
});
