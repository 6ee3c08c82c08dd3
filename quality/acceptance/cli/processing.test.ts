/** Templates, triggers and pipelines by command, with the account's access key. */
import { expect, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();

test('a template is made, named by a trigger that an upload meets, and neither goes before the other', async () => {
  const bucket = await newBucket();
  const name = `w${bucket.replaceAll('-', '_')}`;
  expect(await cli.run(['workflow', 'set', name, 'avthumb/nothing'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the format must be'),
  });
  expect(await cli.run(['workflow', 'set', name, 'qhash/md5'])).toMatchObject({
    code: 0,
    stdout: `${name}: qhash/md5\n`,
  });
  const made = await cli.run(['trigger', 'add', `:${bucket}`, '--workflow', name, '--suffix', '.bin']);
  const id = made.stdout.trim();
  expect(await cli.json(['trigger', 'list'])).toContainEqual({
    id,
    bucket,
    prefix: '',
    suffix: '.bin',
    workflow: name,
  });
  expect(await cli.run(['workflow', 'delete', name])).toMatchObject({ code: 4 });
  // Gateways notice a new trigger within seconds.
  await expect
    .poll(
      async () => {
        await client.upload(bucket, `${Math.floor(performance.now())}.bin`, 'content');
        return (await cli.json(['task', 'list', '--bucket', bucket])).length;
      },
      { interval: 1000 },
    )
    .toBeGreaterThan(0);
  expect(await cli.run(['trigger', 'delete', id])).toMatchObject({ code: 0, stdout: `${id} is deleted\n` });
  expect(await cli.run(['workflow', 'delete', name])).toMatchObject({ code: 0 });
  expect(await cli.run(['trigger', 'delete', id])).toMatchObject({ code: 3 });
  expect((await cli.json(['workflow', 'list'])).map((row) => row.name)).not.toContain(name);
});

test('a pipeline is made, changed, listed with what waits, and deleted', async () => {
  const name = 'by_command';
  expect(await cli.run(['pipeline', 'set', name, '--concurrency', '0'])).toMatchObject({ code: 2 });
  await cli.json(['pipeline', 'set', name, '--concurrency', '2']);
  expect(await cli.json(['pipeline', 'set', name, '--concurrency', '3'])).toMatchObject([
    { name, concurrency: 3 },
  ]);
  expect((await cli.run(['pipeline', 'list'])).stdout).toMatch(
    new RegExp(`^NAME +CONCURRENCY +RUNNING +WAITING +OLDEST\n(?:.*\n)*${name} +3 +0 +0 *\n`),
  );
  expect(await cli.json(['pipeline', 'delete', name])).toEqual([{ name }]);
  expect(await cli.run(['pipeline', 'delete', name])).toMatchObject({ code: 3 });
});
