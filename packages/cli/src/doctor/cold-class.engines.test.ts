// @module-tag ceph
/** An engine without the storage class of cold bytes: everything works but the archive classes, and operators are told. */
import {
  createBucket,
  createDeployment,
  type Deployment,
  finishCommand,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../exit.ts';

const NO_CLASS = 'the engine has no storage class GLACIER';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({
    store: 's3',
    settings: { MILLPOND_S3_COLD_CLASS: 'GLACIER' },
  });
});
afterAll(() => deployment?.destroy());

test('migrate warns, and ends well', async () => {
  const { code, stdout, stderr } = await finishCommand(deployment.environment, ['migrate']);
  expect({ code, stdout }).toEqual({ code: exitCodes.done, stdout: 'up to date\n' });
  expect(stderr).toContain(`millpond: ${NO_CLASS}: objects of the archive classes can't be stored`);
  const told = await finishCommand(deployment.environment, ['migrate', '--json']);
  expect(JSON.parse(told.stdout)).toMatchObject({ warnings: [expect.stringContaining(NO_CLASS)] });
});

test('doctor finds it, and says what to do', async () => {
  const { code, stdout } = await finishCommand(deployment.environment, ['doctor']);
  expect(code).toBe(exitCodes.partial);
  expect(stdout).toContain(`BAD   storage class GLACIER: ${NO_CLASS}`);
  expect(stdout).toContain('docs/ceph.md');
  const sound = { ...deployment.environment, MILLPOND_S3_COLD_CLASS: 'COLD' };
  const { stdout: better } = await finishCommand(sound, ['doctor']);
  expect(better).toContain('good  storage class COLD: takes objects of the archive classes');
});

test('a server is ready and says that it is degraded; objects of other classes are stored', async () => {
  const [server, account] = await Promise.all([deployment.start(), deployment.createAccount()]);
  const ready = async () => {
    const answer = await fetch(`${server.adminUrl}/readyz`);
    return [answer.status, await answer.text()];
  };
  await expect.poll(ready).toEqual([200, `ready\ndegraded: archive classes: ${NO_CLASS}\n`]);
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  expect(metrics).toContain('millpond_cold_class_fault 1');
  const bucket = 'degraded-engine';
  await createBucket(server.url, account, bucket);
  const token = uploadToken(account, { scope: bucket });
  expect((await uploadForm(server.url, 'warm', { token, key: 'warm.txt' })).status).toBe(200);
  const archive = uploadToken(account, { scope: bucket, fileType: 2 });
  expect((await uploadForm(server.url, 'cold', { token: archive, key: 'cold.txt' })).status).toBe(599);
});
