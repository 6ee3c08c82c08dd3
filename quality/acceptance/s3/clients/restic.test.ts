/** restic as it is installed: a backup is only worth what its restore gives back. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { treeIn } from '../../support/objects/trees.ts';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { awsEnvironment, useS3Program } from '../../support/s3/programs.ts';

const restic = useS3Program('restic', (at) => ({
  ...awsEnvironment(at),
  RESTIC_PASSWORD: 'a password',
  RESTIC_CACHE_DIR: path.join(restic.folder, 'cache'),
}));

test.each(s3Places)('restic over $name: init, backup, check, restore, forget', async (at) => {
  const [bucket, folder] = [s3BucketName(), path.join(restic.folder, at.host)];
  const options = [
    '--repo',
    `s3:${at.url}/${bucket}/backups`,
    ...(at.certificate === undefined ? [] : ['--cacert', at.certificate]),
  ];
  const run = async (...args: string[]) => (await restic.run([...options, ...args], at)).toString();
  const content = randomBytes(3 * 1024 * 1024);
  const from = await treeIn(path.join(folder, 'from'), { 'dir/file': content, 'ü.txt': 'text' });
  await run('init');
  await run('backup', from);
  expect(await run('check', '--read-data')).toContain('no errors were found');
  await run('restore', 'latest', '--target', path.join(folder, 'to'));
  expect((await readFile(path.join(folder, 'to', from, 'dir/file'))).equals(content)).toBe(true);
  expect(await readFile(path.join(folder, 'to', from, 'ü.txt'), 'utf8')).toBe('text');
  await run('forget', '--keep-last', '1', '--prune');
});
