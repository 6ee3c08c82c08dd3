/** Restoring archive objects: the call, the states it leads through, and when. */
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { formatRequestDate } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import {
  type ArchiveClass,
  archived,
  DAY_SECONDS,
  get,
  RESTORE_SECONDS,
  restoreAr,
  restoreTarget,
  UNRESTORED,
  useArchiveRows,
} from '../support/objects/archive.ts';
import { chgm, expectEmpty, expectRefused, shownBy } from '../support/objects/change-metadata.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { s3Sdk } from '../support/s3/sdk.ts';
import { authorize, send } from '../support/signing.ts';

const rows = useArchiveRows();
const cli = useCommandLine();
const classes: readonly ArchiveClass[] = [2, 3];
/** More than the calls of a test can take, however slow the machine. */
const SLACK_MS = 30_000;
const ALREADY = 'archive already restored';

/** Asks for a restore and lets it complete. */
async function restored(storageClass: ArchiveClass, days = 1) {
  const object = await archived(storageClass);
  expectEmpty(await restoreAr(object, days));
  await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
  return object;
}

/** What each list shows of a restore. */
async function listed({ bucket, key }: { readonly bucket: string; readonly key: string }) {
  const client = sdkClient();
  const shown = async (options: { delimiter?: string }) => {
    for await (const { item } of client.objects.list(bucket, options))
      if (item?.key === key) return [item.restoreStatus, item.restoreReady, item.restoreEnds];
    return undefined;
  };
  const asked = new ListObjectsV2Command({ Bucket: bucket, OptionalObjectAttributes: ['RestoreStatus'] });
  const [one] = (await s3Sdk().send(asked)).Contents ?? [];
  expect(await shown({ delimiter: '/' })).toEqual(await shown({}));
  const line = (await cli.run(['ls', `:${bucket}`])).stdout;
  return { fields: await shown({}), byS3: one?.RestoreStatus, line: line.trim().split('  ').at(-1) };
}

async function timesOf(key: string) {
  const times = await rows.restoreTimes(key);
  if (times === undefined) throw new Error(`${key} has no restore`);
  return times;
}

describe.each(classes)('an object of class %d', (storageClass) => {
  const error = UNRESTORED[storageClass];

  test('is asked for with 200 and an empty body [restore-01 restore-02 restore-03]', async () => {
    expectEmpty(await restoreAr(await archived(storageClass), 3));
  });

  test('can be read once it is restored, and neither before nor while [archive-state-01 archive-state-02 class-04]', async () => {
    const object = await archived(storageClass, 'the bytes');
    expectRefused(await get(object), 403, error);
    expectEmpty(await restoreAr(object));
    expectRefused(await get(object), 403, error);
    expect([(await get(object, undefined, 'HEAD')).status]).toEqual([403]);
    await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
    const answer = await get(object);
    expect([answer.status, answer.text()]).toEqual([200, 'the bytes']);
  });

  test('says in lists where its restore is [restore-rule-10]', async () => {
    const object = await archived(storageClass);
    const none = { fields: [undefined, undefined, undefined], byS3: undefined, line: 'frozen' };
    expect(await listed(object)).toEqual(none);
    await restoreAr(object);
    const { restoreReady, restoreEnds } = await shownBy(object.bucket, object.key);
    const times = [restoreReady, restoreEnds];
    expect(times).toEqual([expect.any(Number), expect.any(Number)]);
    const begun = { fields: [1, ...times], byS3: { IsRestoreInProgress: true }, line: 'restoring' };
    expect(await listed(object)).toEqual(begun);
    await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
    const later = await listed(object);
    expect(later).toMatchObject({ fields: [2, expect.any(Number), expect.any(Number)], line: 'restored' });
    expect(later.byS3).toEqual({ IsRestoreInProgress: false, RestoreExpiryDate: expect.any(Date) });
    await rows.passTime(object.key, DAY_SECONDS);
    expect(await listed(object)).toMatchObject({ byS3: undefined, line: 'frozen' });
  });

  test('takes no change while it is being restored [archive-state-03 archive-state-04 chgm-rule-09]', async () => {
    const object = await archived(storageClass);
    await restoreAr(object);
    expectRefused(await chgm(object.bucket, object.key, { mime: 'a/b' }), 403, error);
    expectRefused(await chgm(object.bucket, object.key, { meta: { color: 'red' } }), 403, error);
    expect(await shownBy(object.bucket, object.key)).not.toHaveProperty('x-svc-meta');
  });

  test('takes a change of type while it is restored, and none while frozen [archive-state-06 archive-state-07]', async () => {
    const object = await restored(storageClass);
    expectEmpty(await chgm(object.bucket, object.key, { mime: 'a/b', meta: { color: 'red' } }));
    expect(await shownBy(object.bucket, object.key)).toMatchObject({
      mimeType: 'a/b',
      'x-svc-meta': { color: 'red' },
    });
    await rows.passTime(object.key, DAY_SECONDS);
    expectRefused(await chgm(object.bucket, object.key, { mime: 'c/d' }), 403, error);
    expect((await shownBy(object.bucket, object.key)).mimeType).toBe('a/b');
  });

  test('that is restored already answers 400, and its window stays [archive-state-05 err-restore-03 err-restore-04]', async () => {
    const object = await restored(storageClass);
    const before = await timesOf(object.key);
    expectRefused(await restoreAr(object, 7), 400, ALREADY);
    expect(await timesOf(object.key)).toMatchObject({ readyAt: before.readyAt, endsAt: before.endsAt });
  });

  test('asked for again while it is restored answers 200 and keeps its times [restore-rule-01]', async () => {
    const object = await archived(storageClass);
    await restoreAr(object, 1);
    const before = await timesOf(object.key);
    expectEmpty(await restoreAr(object, 7));
    expect(await timesOf(object.key)).toMatchObject({ readyAt: before.readyAt, endsAt: before.endsAt });
  });

  test('shows its state in stat: 1 while restoring, 2 restored, nothing frozen [restore-rule-06]', async () => {
    const object = await archived(storageClass);
    const status = async () => (await shownBy(object.bucket, object.key)).restoreStatus;
    expect(await status()).toBeUndefined();
    await restoreAr(object);
    expect(await status()).toBe(1);
    await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
    expect(await status()).toBe(2);
    await rows.passTime(object.key, DAY_SECONDS);
    expect(await status()).toBeUndefined();
  });

  test('says while it is restored when it can be read [restore-rule-09]', async () => {
    const object = await archived(storageClass);
    expect(await shownBy(object.bucket, object.key)).not.toHaveProperty('waitingFor');
    await restoreAr(object);
    const { readyAt } = await timesOf(object.key);
    const until = new Date(readyAt).toISOString();
    expect(await shownBy(object.bucket, object.key)).toMatchObject({
      waitingFor: { reason: 'time', text: `its restore, which is ready at ${until}`, until },
    });
    await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
    expect(await shownBy(object.bucket, object.key)).not.toHaveProperty('waitingFor');
  });

  test.each([1, 7])(
    'is readable for %d days, counted from the completion [restore-days-01 restore-days-02 restore-time-03 restore-rule-02]',
    async (days) => {
      const object = await archived(storageClass);
      expectEmpty(await restoreAr(object, days));
      const { readyAt, endsAt } = await timesOf(object.key);
      expect(Math.round((endsAt - readyAt) / 1000)).toBe(days * DAY_SECONDS);
      await rows.passTime(object.key, RESTORE_SECONDS[storageClass] + days * DAY_SECONDS - SLACK_MS / 1000);
      expect((await get(object)).status).toBe(200);
      await rows.passTime(object.key, SLACK_MS / 1000);
      expectRefused(await get(object), 403, error);
    },
  );

  test('is frozen when its window ends, and can be restored anew [restore-rule-03 G23]', async () => {
    const object = await restored(storageClass);
    expectRefused(await restoreAr(object), 400, ALREADY);
    await rows.passTime(object.key, DAY_SECONDS);
    expectRefused(await get(object), 403, error);
    expectEmpty(await restoreAr(object, 2));
    expect((await shownBy(object.bucket, object.key)).restoreStatus).toBe(1);
    await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
    expect((await get(object)).status).toBe(200);
  });
});

test.each([
  [2, 60, 300],
  [3, 5 * 3600, 12 * 3600],
] as const)(
  'a restore of class %d is complete after %d s at the earliest and %d s at the latest [restore-time-01 restore-time-02]',
  async (storageClass, earliest, latest) => {
    const object = await archived(storageClass);
    const begun = Date.now();
    await restoreAr(object);
    const { readyAt, now } = await timesOf(object.key);
    expect(readyAt - now).toBeLessThanOrEqual(earliest * 1000);
    expect(readyAt - begun).toBeGreaterThanOrEqual(earliest * 1000 - 5);
    expect(readyAt - now).toBeLessThanOrEqual(latest * 1000);
  },
);

describe('the call', () => {
  test('with form type, date and credential and an empty body is accepted [restore-04]', async () => {
    const call = {
      target: restoreTarget(await archived(2), 1),
      headers: [['X-Svc-Date', formatRequestDate(new Date())]],
    } as const;
    expectEmpty(await send(call, authorize(call)));
  });

  test('is served on the object management host, and no other [restore-07]', async () => {
    const object = await archived(2);
    const { url } = await startExtraGateway({ MILLPOND_HOSTS: 'rs=rs.test,io=io.test,up=up.test' });
    const at = (host: string) => {
      const call = { target: restoreTarget(object, 1), host };
      return send(call, authorize(call), url);
    };
    expect((await at('io.test')).status).toBe(404);
    expect((await at('up.test')).status).toBe(404);
    expect(await rows.restoreTimes(object.key)).toBeUndefined();
    expectEmpty(await at('rs.test'));
  });
});
