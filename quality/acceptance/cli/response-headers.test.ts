/** Response headers by the command line: set with an upload, changed, shown, and taken along to another account. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createBucket } from '@millpond/testing';
import { expect, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();

const HEADERS = {
  'Cache-Control': 'public, max-age=60',
  'Content-Disposition': 'inline; filename="a b.txt"',
  'Content-Encoding': 'x-own',
  'Content-Language': 'de, en',
  Expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
};
const OPTIONS = Object.entries(HEADERS).flatMap(([name, value]) => [`--${name.toLowerCase()}`, value]);

test('cp sets them, stat and meta show them, meta changes and removes them', async () => {
  const bucket = await newBucket();
  const file = path.join(cli.folder, 'own.txt');
  await writeFile(file, 'content');
  expect(await cli.run(['cp', file, `:${bucket}/k`, ...OPTIONS])).toMatchObject({ code: 0, stderr: '' });
  expect((await client.objects.stat(bucket, 'k')).responseHeaders).toEqual(HEADERS);
  const { stdout } = await cli.run(['stat', `:${bucket}/k`]);
  for (const [name, value] of Object.entries(HEADERS))
    expect(stdout).toContain(`\n${name.padEnd(19)} ${value}`);
  const [told] = await cli.json(['stat', `:${bucket}/k`]);
  expect(told).toMatchObject({ responseHeaders: HEADERS });
  const change = ['--cache-control', 'no-cache', '--content-encoding', '', '--expires', '', '--set', 'a=b'];
  expect(await cli.run(['meta', `:${bucket}/k`, '--content-language', 'fr', ...change])).toMatchObject({
    stdout: '1 object changed\n',
  });
  expect((await cli.run(['meta', `:${bucket}/k`])).stdout).toBe(
    [
      `:${bucket}/k  text/plain`,
      '  a=b',
      '  Cache-Control: no-cache',
      '  Content-Language: fr',
      '  Content-Disposition: inline; filename="a b.txt"',
      '',
    ].join('\n'),
  );
});

test('a copy into another account has them too, and its metadata, but for what the command says', async () => {
  const [from, to] = [await newBucket(), `${await newBucket()}-other`];
  await createBucket(target.url, target.stranger, to);
  const { accessKey, secretKey } = target.stranger;
  const secret = `${secretKey}\n`;
  expect(
    await cli.run(['alias', 'set', 'other', target.url, '--access-key', accessKey], secret),
  ).toMatchObject({ code: 0 });
  const options = { metadata: { colour: 'blue' }, mimeType: 'text/html', responseHeaders: { Expires: '0' } };
  await client.upload(from, 'd/k', '<p>', options);
  const stranger = sdkClient({ credentials: { accessKey, secretKey } });
  for (const [args, key] of [
    [['-r', `:${from}/d`, `other:${to}/all`], 'all/k'],
    [[`:${from}/d/k`, `other:${to}/one`], 'one'],
  ] as const) {
    expect(await cli.run(['cp', ...args])).toMatchObject({ code: 0, stderr: '' });
    // An attachment is what downloads of a page are to be, and not what its owner said.
    expect(await stranger.objects.stat(to, key)).toMatchObject({
      mimeType: 'text/html',
      metadata: { colour: 'blue' },
      responseHeaders: { Expires: '0' },
    });
  }
  const given = ['--cache-control', 'no-store', '--meta', 'colour=red'];
  await cli.run(['cp', `:${from}/d/k`, `other:${to}/said`, ...given]);
  const { metadata, responseHeaders } = await stranger.objects.stat(to, 'said');
  expect([metadata, responseHeaders]).toEqual([
    { colour: 'red' },
    { 'Cache-Control': 'no-store', Expires: '0' },
  ]);
});

test.each([
  ['cp', '--cache-control', 'public; max-age=60', 'commas'],
  ['cp', '--expires', '3600', 'Tue, 15 Nov 2033 12:45:26 GMT'],
  ['cp', '--content-encoding', '', 'empty'],
  ['meta', '--content-disposition', 'attachment; filename=a b', 'filename='],
])('%s %s %j is a mistake, and the message says what is meant', async (command, option, value, hint) => {
  const { code, stderr } = await cli.run([
    command,
    ':b/k',
    ...(command === 'cp' ? ['x'] : []),
    option,
    value,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
});
