/** s3cmd as it is installed. It takes an ETag without a dash for the MD5 of the content, and trusts it. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, treeIn } from '../../support/objects/trees.ts';
import { fetchPresigned } from '../../support/s3/fetching.ts';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { awsEnvironment, useS3Program } from '../../support/s3/programs.ts';

const s3cmd = useS3Program('s3cmd', awsEnvironment);

test.each(s3Places)('s3cmd over $name: put, get, sync, cp, mv, info, signurl, del', async (at) => {
  const options = [
    '--config',
    '/dev/null',
    '--host',
    at.host,
    '--host-bucket',
    at.host,
    ...(at.certificate === undefined ? ['--no-ssl'] : ['--ssl', '--ca-certs', at.certificate]),
    '--multipart-chunk-size-mb',
    '5',
    '--no-progress',
  ];
  const run = async (...args: string[]) => (await s3cmd.run([...options, ...args], at)).toString();
  const [bucket, folder] = [s3BucketName(), path.join(s3cmd.folder, at.host)];
  const large = randomBytes(6 * 1024 * 1024);
  const from = await treeIn(path.join(folder, 'from'), { 'a.txt': 'first', 'dir/b c.txt': 'second' });
  await treeIn(folder, { large });
  await run('mb', `s3://${bucket}`);
  await run('put', path.join(folder, 'large'), `s3://${bucket}/large`);
  await run('get', `s3://${bucket}/large`, path.join(folder, 'again'));
  expect((await readFile(path.join(folder, 'again'))).equals(large)).toBe(true);

  await run('sync', `${from}/`, `s3://${bucket}/t/`);
  await treeIn(path.join(folder, 'to'), {});
  await run('sync', `s3://${bucket}/t/`, `${path.join(folder, 'to')}/`);
  expect(await filesIn(path.join(folder, 'to'))).toEqual(['a.txt', 'dir/b c.txt']);
  expect(await readFile(path.join(folder, 'to/dir/b c.txt'), 'utf8')).toBe('second');
  expect(await run('sync', `${from}/`, `s3://${bucket}/t/`)).not.toContain('upload:');

  await run('cp', `s3://${bucket}/t/a.txt`, `s3://${bucket}/copied.txt`);
  await run('mv', `s3://${bucket}/copied.txt`, `s3://${bucket}/moved.txt`);
  expect(await run('info', `s3://${bucket}/moved.txt`)).toContain(
    'MD5 sum:   8b04d5e3775d298e78455efc5ca404d5',
  );
  expect(await run('info', `s3://${bucket}`)).toContain('Location:');
  const url = (await run('signurl', `s3://${bucket}/moved.txt`, '+600')).trim();
  // An s3cmd that was not told otherwise writes the scheme of the web.
  const answer = await fetchPresigned(url.replace(/^https?:/, new URL(at.url).protocol), at);
  expect(answer).toEqual({ status: 200, body: Buffer.from('first') });
  expect(await run('ls', `s3://${bucket}`)).toMatch(/ 6291456 .*large\n.* 5 .*moved\.txt\n/);
  await run('rb', '--recursive', '--force', `s3://${bucket}`);
});
