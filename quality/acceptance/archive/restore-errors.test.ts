/** Restores that are refused. */
import { randomBytes } from 'node:crypto';
import { encodeBase64, encodeBase64Text, formatEntry } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { archived, restoreAr, restoreTarget, useArchiveRows } from '../support/objects/archive.ts';
import { expectEmpty, expectRefused } from '../support/objects/change-metadata.ts';
import { openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { send, sendSigned } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

const rows = useArchiveRows();
const INVALID = 'invalid argument';
const call = (path: string) => sendSigned({ target: `/restoreAr/${path}` });

describe('an entry', () => {
  test('without a bucket, or that is none, answers 400 [err-restore-01 restore-05]', async () => {
    for (const entry of [encodeBase64Text(':key'), encodeBase64Text(''), '', '!!!'])
      expectRefused(await call(`${entry}/freezeAfterDays/1`), 400, INVALID);
    expectRefused(await call('freezeAfterDays/1'), 400, INVALID);
    expectRefused(await call(`${encodeBase64Text(await newBucket())}/freezeAfterDays/1`), 400, INVALID);
  });

  test('that is not UTF-8 answers 400 [err-restore-02]', async () => {
    const entry = encodeBase64(Buffer.from(`${await newBucket()}:\xff`, 'latin1'));
    expectRefused(await call(`${entry}/freezeAfterDays/1`), 400, 'key must be utf8 encoding');
  });

  test('that does not exist answers 612 [err-restore-09]', async () => {
    const bucket = await newBucket();
    for (const key of ['missing', ''])
      expectRefused(await restoreAr({ bucket, key }), 612, 'no such file or directory');
  });

  test("in a missing bucket and in another account's bucket answers 612 alike [restore-rule-07]", async () => {
    const object = await archived(2);
    const missing = { bucket: `no-${randomBytes(6).toString('hex')}`, key: object.key };
    const answers = [
      await restoreAr(object, 1, { keys: target.stranger }),
      await restoreAr(missing, 1, { keys: target.stranger }),
    ];
    for (const answer of answers) expectRefused(answer, 612, 'no such file or directory');
    expect(answers[0]?.text()).toBe(answers[1]?.text());
    expect(await rows.restoreTimes(object.key)).toBeUndefined();
  });
});

describe('freezeAfterDays', () => {
  test('that is missing answers 400 [restore-06]', async () => {
    const { bucket, key } = await archived(2);
    const entry = formatEntry(bucket, key);
    for (const rest of [
      '',
      '/',
      '/freezeAfterDays',
      '/freezeafterdays/1',
      '/days/1',
      '/freezeAfterDays/1/more',
    ])
      expectRefused(await call(entry + rest), 400, INVALID);
  });

  test.each(['0', '8', '01', '+1', '-1', '1.0', '1.5', '1e0', '%31', 'one', '', ' 1', '10', '１'])(
    'of "%s" answers 400 [restore-days-03 restore-days-04 err-restore-05 G24]',
    async (days) => {
      const object = await archived(2);
      expectRefused(
        await restoreAr(object, days.replace(' ', '%20').replace('１', '%EF%BC%91')),
        400,
        'invalid freeze after days',
      );
      expect(await rows.restoreTimes(object.key)).toBeUndefined();
    },
  );

  test('is judged before the object is looked at', async () => {
    const bucket = await newBucket();
    expectRefused(await restoreAr({ bucket, key: 'missing' }, 8), 400, 'invalid freeze after days');
  });
});

test.each([0, 1])(
  'an object of class %d answers 403 [err-restore-07 err-restore-08]',
  async (storageClass) => {
    const object = await archived(storageClass);
    const error = 'operation only allowed for archive or deep archive';
    expectRefused(await restoreAr(object), 403, error);
    expect(await rows.restoreTimes(object.key)).toBeUndefined();
  },
);

test('a credential that is not valid answers 401 [err-restore-06]', async () => {
  const object = await archived(2);
  const request = { target: restoreTarget(object, 1) };
  for (const authorization of [undefined, 'Svc nonsense', `Svc ${target.account.accessKey}:AAAA`])
    expectRefused(await send(request, authorization), 401, 'bad token');
  expect(await rows.restoreTimes(object.key)).toBeUndefined();
});

test('a database that is away answers 599 [err-restore-10]', async () => {
  const object = await archived(2);
  const engine = target.environment.MILLPOND_REGION_DB ?? '';
  const proxy = await openProxy(engine);
  try {
    const settings = { MILLPOND_REGION_DB: throughProxy(engine, proxy), MILLPOND_LOG_LEVEL: 'silent' };
    const { url } = await startExtraGateway(settings);
    proxy.cut();
    expectRefused(await restoreAr(object, 1, { url }), 599, 'server failure');
    expect(await rows.restoreTimes(object.key)).toBeUndefined();
    proxy.restore();
    expectEmpty(await restoreAr(object, 1, { url }));
  } finally {
    await proxy.close();
  }
});

test('every refusal is a JSON object with an error, a string [err-restore-11]', async () => {
  const [standard, archive] = [await archived(0), await archived(2)];
  const answers = [
    await call('!!!/freezeAfterDays/1'),
    await restoreAr(archive, 9),
    await restoreAr(standard),
    await restoreAr({ ...archive, key: 'missing' }),
    await send({ target: restoreTarget(archive, 1) }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 403, 612, 401]);
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({ error: expect.any(String) });
    expect(answer.header('content-type')).toBe('application/json');
  }
});
