/** `millpond bucket` as a person and as a program see it. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { startRecordingProxy } from '../support/receivers/recording-proxy.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';

const cli = useCommandLine();
const client = sdkClient();
const newBucketName = () => `b-${randomBytes(6).toString('hex')}`;

test('a bucket is made, shown, changed and dropped', async () => {
  const bucket = newBucketName();
  expect(await cli.run(['bucket', 'create', `:${bucket}`, '--private'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${bucket} is created in \\S+: private\n$`)),
  });
  expect(await cli.run(['bucket', 'create', `:${bucket}`])).toMatchObject({ code: 6 });
  expect(await cli.run(['bucket', 'create', `:${bucket}/key`])).toMatchObject({ code: 2 });
  expect((await cli.run(['bucket', 'show', `:${bucket}`])).stdout).toMatch(
    /access +private\nmax size +none\nmax objects +none\n/,
  );
  const changes = ['--public', '--max-size', '50m', '--max-objects', '10', '--tag', 'team=a', '--tag', 'x=y'];
  expect(await cli.run(['bucket', 'set', `:${bucket}`, ...changes])).toMatchObject({ code: 0 });
  expect(await cli.json(['bucket', 'show', `:${bucket}`])).toMatchObject([
    { bucket, private: false, quota: { size: 50 * 1024 ** 2, count: 10 }, tags: { team: 'a', x: 'y' } },
  ]);
  expect((await cli.run(['bucket', 'show', `:${bucket}`])).stdout).toMatch(/\nmax size +50\.0 MiB\n/);
  expect(await cli.run(['bucket', 'set', `:${bucket}`, '--max-size', 'none', '--untag'])).toMatchObject({
    code: 0,
  });
  expect(await cli.json(['bucket', 'show', `:${bucket}`])).toMatchObject([
    { quota: { size: -1, count: 10 }, tags: {} },
  ]);
  expect(await cli.run(['bucket', 'set', `:${bucket}`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to change'),
  });
  await client.upload(bucket, 'k', 'content');
  expect(await cli.run(['bucket', 'drop', `:${bucket}`])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('non empty'),
  });
  await client.objects.delete(bucket, 'k');
  expect(await cli.run(['bucket', 'drop', `:${bucket}`])).toMatchObject({ code: 0 });
  expect(await cli.run(['bucket', 'show', `:${bucket}`])).toMatchObject({ code: 3 });
});

test('a bucket that is to be private is never public, whatever becomes of the line [bucket-create-09]', async () => {
  const line = await startRecordingProxy();
  // Everything after the first call is lost.
  line.hold(() => line.ended.length > 0);
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: line.url };
  const bucket = newBucketName();
  const args = ['bucket', 'create', `:${bucket}`, '--region', 'z0', '--private'];
  expect(await finishCommand(environment, args)).toMatchObject({ code: 0 });
  expect(line.ended).toMatchObject([{ target: `/mkbucketv3/${bucket}/region/z0/private/true`, status: 200 }]);
  expect((await client.buckets.info(bucket)).private).toBe(1);
  const other = newBucketName();
  await client.buckets.create(other, 'z0', { private: true });
  expect((await client.buckets.info(other)).private).toBe(1);
});

test('rules are shown as the list that --set takes', async () => {
  const bucket = newBucketName();
  await cli.run(['bucket', 'create', `:${bucket}`]);
  const file = path.join(cli.folder, 'rules.json');
  const cors = [{ allowed_origin: ['https://example.com'], allowed_method: ['GET'], max_age: 60 }];
  await writeFile(file, JSON.stringify(cors));
  const set = await cli.run(['bucket', 'cors', `:${bucket}`, '--set', file]);
  expect(JSON.parse(set.stdout)).toMatchObject(cors);
  expect((await cli.run(['bucket', 'cors', `:${bucket}`, '--set', '-'], set.stdout)).stdout).toBe(set.stdout);
  expect((await cli.run(['bucket', 'cors', `:${bucket}`, '--clear'])).stdout).toBe('[]\n');
  const events = [{ name: 'photos', url: 'https://example.com/', events: ['created'], suffix: '.jpg' }];
  const told = await cli.run(['bucket', 'events', `:${bucket}`, '--set', '-'], JSON.stringify(events));
  expect(JSON.parse(told.stdout)).toEqual(events);
  expect((await cli.run(['bucket', 'show', `:${bucket}`])).stdout).toMatch(
    /^events +1, see millpond bucket events$/m,
  );
  expect((await cli.run(['bucket', 'events', `:${bucket}`, '--clear'])).stdout).toBe('[]\n');
  const rules = (days: number, ...names: string[]) =>
    JSON.stringify(names.map((name) => ({ name, prefix: `${name}/`, delete_after_days: days })));
  await cli.run(['bucket', 'lifecycle', `:${bucket}`, '--set', '-'], rules(3, 'a', 'b'));
  await cli.run(['bucket', 'lifecycle', `:${bucket}`, '--set', '-'], rules(5, 'b', 'c'));
  expect(await cli.json(['bucket', 'lifecycle', `:${bucket}`])).toMatchObject([
    { name: 'b', delete_after_days: 5 },
    { name: 'c', delete_after_days: 5 },
  ]);
  expect(await cli.run(['bucket', 'lifecycle', `:${bucket}`, '--set', '-'], '{}')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a list'),
  });
});

test('mirror and styles', async () => {
  const bucket = newBucketName();
  await cli.run(['bucket', 'create', `:${bucket}`]);
  const from = ['--from', 'https://a.example.com', 'https://b.example.com'];
  expect(await cli.run(['bucket', 'mirror', `:${bucket}`, ...from])).toMatchObject({ code: 0 });
  expect(
    await cli.run(['bucket', 'style', `:${bucket}`, '--set', 'small=imageView2/2/w/80', '--allow', 'styles']),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/may contain styles\n\nNAME +COMMAND\nsmall +image/),
  });
  expect(await cli.json(['bucket', 'show', `:${bucket}`])).toMatchObject([
    { mirror: ['https://a.example.com', 'https://b.example.com'], styles: { small: 'imageView2/2/w/80' } },
  ]);
  expect(await cli.run(['bucket', 'mirror', `:${bucket}`, '--clear'])).toMatchObject({ code: 0 });
  expect(await cli.json(['bucket', 'style', `:${bucket}`, '--remove', 'small'])).toMatchObject([
    { allow: 'styles', items: [] },
  ]);
});

test('domains need a proof, which the refusal asks for; an operator’s are shown, and given up', async () => {
  const [bucket, other] = [newBucketName(), newBucketName()];
  for (const each of [bucket, other]) await client.buckets.create(each, 'z0');
  const host = `${newBucketName()}.example.org`;
  expect(await cli.run(['bucket', 'domain', `:${bucket}`, '--add', host])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`publish a TXT record _millpond.${host}`),
  });
  await operate(['domain', 'bind', host, bucket]);
  expect(await cli.json(['bucket', 'domain', `:${bucket}`])).toMatchObject([{ domain: host }]);
  // Moving a name between buckets of one account needs no new proof.
  expect((await cli.run(['bucket', 'domain', `:${other}`, '--add', host])).stdout).toMatch(
    new RegExp(`^DOMAIN +BOUND\\n${host} +\\d{4}-`),
  );
  expect(await cli.run(['bucket', 'domain', `:${bucket}`, '--remove', host])).toMatchObject({
    code: 3,
    stderr: `millpond: ${host} is not a domain of ${bucket}\n`,
  });
  expect(await cli.json(['bucket', 'domain', `:${other}`, '--remove', host])).toEqual([]);
});
