/** Restores go by the database's clock: made faster, across restarts and with gateways gone wrong. */
import { formatEntry } from '@millpond/protocol';
import {
  CLOCK_JUMP,
  createDeployment,
  type Deployment,
  finishCommand,
  type ServerProcess,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ArchiveObject,
  archived,
  get,
  restoreAr,
  type Site,
  useArchiveRows,
} from '../support/objects/archive.ts';
import { expectEmpty } from '../support/objects/change-metadata.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'clocks';
/** Twelve hours become one, a day becomes two: more than a test takes. */
const FACTOR = 12;
const HOUR_MS = 3_600_000;

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

const phases = {
  restoring: { status: 403, restoreStatus: 1 },
  restored: { status: 200, restoreStatus: 2 },
  frozen: { status: 403, restoreStatus: undefined },
} as const;

async function expectPhase(
  phase: keyof typeof phases,
  gateways: readonly ServerProcess[],
  object: ArchiveObject,
): Promise<void> {
  for (const { url } of gateways) {
    // HEAD and not GET: an engine refuses the requests of a gateway whose clock is wrong, whatever the object's state.
    const { status } = await get(object, url, 'HEAD');
    expect({ status, restoreStatus: await statusAt(url, object) }, phase).toEqual(phases[phase]);
  }
}

test('a window opens and ends by one clock at every gateway: restarted, hours ahead, hours behind [restore-rule-05 restore-rule-08 G25]', async () => {
  const object = await archived(3, 'content', { bucket: BUCKET, site });
  const [ahead, behind, killed] = await Promise.all([
    startJumping(6),
    startJumping(-6),
    deployment.start({ args: ['serve', '--no-work'] }),
  ]);
  const begun = Date.now();
  expectEmpty(await restoreAr(object, 1, { url: ahead.url, keys: site.account }));
  const times = await rows.restoreTimes(object.key);
  if (times === undefined) throw new Error('there is no restore');
  const [restoreMs, windowMs] = [(12 * HOUR_MS) / FACTOR, (24 * HOUR_MS) / FACTOR];
  expect(times.readyAt).toBeGreaterThanOrEqual(begun + restoreMs - 5);
  expect(times.readyAt).toBeLessThanOrEqual(Date.now() + restoreMs + 5);
  expect(times.endsAt - times.readyAt).toBeCloseTo(windowMs, 0);

  await expectPhase('restoring', [ahead, behind, killed], object);
  await killed.kill('SIGKILL');
  const restarted = await deployment.start({ args: ['serve', '--no-work'] });
  await expectPhase('restoring', [restarted], object);
  await rows.passTime(object.key, restoreMs / 1000);
  await expectPhase('restored', [ahead, behind, restarted], object);
  await rows.passTime(object.key, windowMs / 1000);
  await expectPhase('frozen', [ahead, behind, restarted], object);
});

test('connections that the database broke change nothing [G25]', async () => {
  const object = await archived(3, 'content', { bucket: BUCKET, site });
  expectEmpty(await restoreAr(object, 7, { url: site.url, keys: site.account }));
  const before = await rows.restoreTimes(object.key);
  await rows.breakConnections();
  await expect.poll(async () => (await get(object, site.url)).status).toBe(403);
  expect(await rows.restoreTimes(object.key)).toMatchObject({
    readyAt: before?.readyAt,
    endsAt: before?.endsAt,
  });
  await rows.passTime(object.key, (12 * 3600) / FACTOR);
  expect((await get(object, site.url)).status).toBe(200);
});

test('a window that nobody touches ends by itself, and not before [restore-rule-05]', async () => {
  // A day is two seconds to it.
  const settings = { MILLPOND_TIME_FACTOR: '43200' };
  const { url } = await deployment.start({ args: ['serve', '--no-work'], settings });
  const object = await archived(2, 'content', { bucket: BUCKET, site });
  expectEmpty(await restoreAr(object, 1, { url, keys: site.account }));
  await expect.poll(() => statusAt(url, object), { interval: 20 }).toBeUndefined();
  const times = await rows.restoreTimes(object.key);
  expect(times?.now).toBeGreaterThanOrEqual(times?.endsAt ?? Number.POSITIVE_INFINITY);
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
