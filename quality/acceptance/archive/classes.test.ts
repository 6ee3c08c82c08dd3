/** Storage classes: set by uploads and by chtype, and what a change of class does to a restore. */
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import {
  type ArchiveClass,
  type ArchiveObject,
  archived,
  chtype,
  get,
  RESTORE_SECONDS,
  restoreAr,
  UNRESTORED,
  useArchiveRows,
} from '../support/objects/archive.ts';
import { chgm, expectEmpty, expectRefused, shownBy } from '../support/objects/change-metadata.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

const rows = useArchiveRows();
const INVALID = 'invalid argument';

async function restored(storageClass: ArchiveClass, content?: string): Promise<ArchiveObject> {
  const object = await archived(storageClass, content);
  await restoreAr(object, 7);
  await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
  return object;
}

const shown = ({ bucket, key }: ArchiveObject) => shownBy(bucket, key);

async function expectFrozen(object: ArchiveObject, storageClass: ArchiveClass): Promise<void> {
  expect(await shown(object)).toMatchObject({ type: storageClass });
  expect(await shown(object)).not.toHaveProperty('restoreStatus');
  expectRefused(await get(object), 403, UNRESTORED[storageClass]);
}

test.each([2, 3] as const)(
  'an upload with fileType %d is an archive object from the start [class-02]',
  async (fileType) => {
    await expectFrozen(await archived(fileType), fileType);
  },
);

test('an upload of a class that is none answers 400 [class-01]', async () => {
  const bucket = await newBucket();
  for (const fileType of [4, -1, 'archive'])
    expect((await upload({ scope: bucket, fileType }, 'x', { key: 'k' })).status).toBe(400);
});

describe('chtype', () => {
  test.each([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 0],
    [1, 3],
  ])('from class %d to %d answers 200, and stat shows it at once [class-03]', async (from, to) => {
    const object = await archived(from);
    const { hash, putTime } = (await (
      await signedFetch(target.url, target.account, `/stat/${formatEntry(object.bucket, object.key)}`)
    ).json()) as { hash: string; putTime: number };
    expectEmpty(await chtype(object, to));
    expect(await shown(object)).toMatchObject({ type: to, hash, putTime });
    if (to >= 2) await expectFrozen(object, to as ArchiveClass);
    else expect((await get(object)).status).toBe(200);
  });

  test.each(['4', '-1', 'archive', '', '01', '1.0', '%31'])(
    'to "%s" answers 400 [class-01]',
    async (type) => {
      const object = await archived(0);
      expectRefused(await chtype(object, type), 400, INVALID);
      expect(await shown(object)).toMatchObject({ type: 0 });
    },
  );

  test('of a path that is not whole answers 400', async () => {
    const { bucket, key } = await archived(0);
    for (const rest of ['', '/type', '/class/1', '/type/1/more'])
      expectRefused(await sendSigned({ target: `/chtype/${formatEntry(bucket, key)}${rest}` }), 400, INVALID);
  });

  test('of what is not there answers 612, in a bucket that is not there 631', async () => {
    const object = await archived(0);
    expectRefused(await chtype({ ...object, key: 'missing' }, 1), 612, 'no such file or directory');
    expectRefused(await chtype({ ...object, bucket: 'no-such-bucket' }, 1), 631, 'no such bucket');
    expectRefused(await chtype(object, 1, { keys: target.stranger }), 631, 'no such bucket');
    expect(await shown(object)).toMatchObject({ type: 0 });
  });

  test.each([
    [2, 0],
    [2, 1],
    [2, 3],
    [3, 0],
    [3, 2],
  ] as const)(
    'from class %d to %d needs the restored state: frozen and restoring answer 403 [class-06]',
    async (from, to) => {
      const object = await archived(from, 'the bytes');
      expectRefused(await chtype(object, to), 403, UNRESTORED[from]);
      await restoreAr(object);
      expectRefused(await chtype(object, to), 403, UNRESTORED[from]);
      expect(await shown(object)).toMatchObject({ type: from, restoreStatus: 1 });
      await rows.passTime(object.key, RESTORE_SECONDS[from]);
      expectEmpty(await chtype(object, to));
      expect(await shown(object)).toMatchObject({ type: to });
      if (to >= 2) await expectFrozen(object, to as ArchiveClass);
      else expect((await get(object)).text()).toBe('the bytes');
    },
  );

  test('to the class that it has changes nothing, not even a restore', async () => {
    const object = await archived(2);
    await restoreAr(object);
    const before = await rows.restoreTimes(object.key);
    expectEmpty(await chtype(object, 2));
    expect(await rows.restoreTimes(object.key)).toMatchObject({ readyAt: before?.readyAt });
  });
});

describe('no state of an old object is left on a new one', () => {
  test.each(['restoring', 'restored'])('after an overwrite of one that is %s [G22]', async (state) => {
    const object = await archived(2);
    await restoreAr(object, 7);
    if (state === 'restored') await rows.passTime(object.key, RESTORE_SECONDS[2]);
    await archived(2, 'other content', object);
    await expectFrozen(object, 2);
    await archived(3, 'third content', object);
    await expectFrozen(object, 3);
    await archived(0, 'standard content', object);
    expect((await get(object)).text()).toBe('standard content');
    expect(await rows.restoreTimes(object.key)).toBeUndefined();
    expectEmpty(await chtype(object, 2));
    await expectFrozen(object, 2);
  });

  test.each(['restoring', 'restored'])(
    'after a delete and a new upload of one that is %s [G22]',
    async (state) => {
      const object = await archived(2);
      await restoreAr(object, 7);
      if (state === 'restored') await rows.passTime(object.key, RESTORE_SECONDS[2]);
      const removed = await signedFetch(
        target.url,
        target.account,
        `/delete/${formatEntry(object.bucket, object.key)}`,
      );
      expect(removed.status).toBe(200);
      expectRefused(await restoreAr(object), 612, 'no such file or directory');
      await archived(2, 'other content', object);
      await expectFrozen(object, 2);
      expect(await rows.restoreTimes(object.key)).toBeUndefined();
    },
  );

  test('after its class was changed and changed back [G22]', async () => {
    const object = await restored(2);
    expectEmpty(await chtype(object, 0));
    expectRefused(await restoreAr(object), 403, 'operation only allowed for archive or deep archive');
    expect(await shown(object)).not.toHaveProperty('restoreStatus');
    expectEmpty(await chtype(object, 2));
    await expectFrozen(object, 2);
    expectEmpty(await restoreAr(object));
    expect(await shown(object)).toMatchObject({ restoreStatus: 1 });
  });

  test('and one that was not overwritten keeps its restore: the same content again is the same object', async () => {
    const object = await restored(2, 'the same');
    const policy = { scope: object.bucket, fileType: 2 };
    expect((await upload(policy, 'the same', { key: object.key })).status).toBe(200);
    expect((await get(object)).text()).toBe('the same');
  });

  test('racing restores, overwrites and changes of class never leave a window on what was not restored [G22]', async () => {
    for (let round = 0; round < 6; round++) {
      const object = await archived(2, 'old');
      const answers = await Promise.all([
        restoreAr(object, 7),
        archived(3, 'new content', object),
        restoreAr(object, 7),
        chtype(object, 2),
      ]);
      expect(answers.flatMap((answer) => ('status' in answer ? [answer.status] : []))).not.toContain(599);
      // Whether the last restore was before or after the overwrite: its times fit the class that it was asked for in.
      const times = await rows.restoreTimes(object.key);
      expect(await shown(object)).toMatchObject({ type: 3 });
      if (times !== undefined) expect(times.readyAt - times.now).toBeGreaterThan(RESTORE_SECONDS[2] * 1000);
    }
  });
});

describe('every way of sending bytes', () => {
  const ways = target.store === 's3' ? (['stream', 'nginx', 'redirect'] as const) : (['stream'] as const);

  test.each(ways)('refuses what is frozen, and serves what is restored: %s [class-04]', async (way) => {
    const { url } = await startExtraGateway({ MILLPOND_SEND_BYTES: way });
    for (const storageClass of [2, 3] as const) {
      const object = await archived(storageClass, 'the bytes');
      expectRefused(await get(object, url), 403, UNRESTORED[storageClass]);
      await restoreAr(object);
      expectRefused(await get(object, url), 403, UNRESTORED[storageClass]);
      await rows.passTime(object.key, RESTORE_SECONDS[storageClass]);
      const answer = await get(object, url);
      expect(answer.status).toBe(200);
      // A redirect to the engine would outlive the window, so the bytes come from here.
      if (way === 'nginx') expect(answer.header('x-accel-redirect')).toMatch(/^\/_millpond_engine\//);
      else expect(answer.text()).toBe('the bytes');
    }
  });
});

test('metadata and response headers of a restored object stay when it leaves the archive [headers-05]', async () => {
  const object = await restored(3);
  expectEmpty(
    await chgm(object.bucket, object.key, { mime: 'a/b', meta: { color: 'red', '!Expires': '0' } }),
  );
  expectEmpty(await chtype(object, 0));
  expect(await shown(object)).toMatchObject({
    mimeType: 'a/b',
    'x-svc-meta': { color: 'red' },
    responseHeaders: { Expires: '0' },
  });
});
