import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import {
  archived,
  RESTORE_SECONDS,
  restoreAr,
  UNRESTORED,
  useArchiveRows,
} from '../support/objects/archive.ts';
import { callOperation, expectDone, relocate } from '../support/objects/operations.ts';
import { newKey } from '../support/receivers/callbacks.ts';
import { download } from '../support/target.ts';

const rows = useArchiveRows();

describe.each([2, 3] as const)('an object of class %i', (storageClass) => {
  test('that is restored is copied, and the copy is frozen [class-05]', async () => {
    const from = await archived(storageClass, 'hello archive');
    const to = { bucket: from.bucket, key: newKey() };
    await restoreAr(from);
    await expectRefusal(await relocate('copy', from, to), 403, UNRESTORED[storageClass]);
    await rows.passTime(from.key, RESTORE_SECONDS[storageClass]);
    await expectDone(await relocate('copy', from, to));
    expect(await recordOf(to.bucket, to.key)).toMatchObject({ type: storageClass, fsize: 13 });
    expect(await recordOf(to.bucket, to.key)).not.toHaveProperty('restoreStatus');
    expect((await download(to.bucket, to.key)).status).toBe(403);
    await expectContent(from.bucket, from.key, 'hello archive');
  });

  test('that is restored is moved with its window [class-05]', async () => {
    const from = await archived(storageClass, 'hello archive');
    const to = { bucket: from.bucket, key: newKey() };
    await restoreAr(from);
    await rows.passTime(from.key, RESTORE_SECONDS[storageClass]);
    const { readyAt, endsAt } = (await rows.restoreTimes(from.key)) ?? {};
    await expectDone(await relocate('move', from, to));
    expect(await rows.restoreTimes(to.key)).toMatchObject({ readyAt, endsAt });
    await expectContent(to.bucket, to.key, 'hello archive');
    expect(await recordOf(to.bucket, to.key)).toMatchObject({ type: storageClass, restoreStatus: 2 });
  });

  test('that is frozen can be deleted, disabled and given days, without a restore [class-05]', async () => {
    const { bucket, key } = await archived(storageClass);
    const entry = Buffer.from(`${bucket}:${key}`).toString('base64url');
    await expectDone(await callOperation(`/chstatus/${entry}/status/1`));
    await expectDone(await callOperation(`/deleteAfterDays/${entry}/3`));
    await expectDone(await callOperation(`/delete/${entry}`));
  });
});
