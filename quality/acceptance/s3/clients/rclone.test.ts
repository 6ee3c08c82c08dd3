/** rclone as it is installed. It compares the ETag of what it wrote with the MD5 of what it read. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, treeIn } from '../../support/objects/trees.ts';
import { fetchPresigned } from '../../support/s3/fetching.ts';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { useS3Program } from '../../support/s3/programs.ts';
import { target } from '../../support/target.ts';

/** The remote `millpond`, without a configuration file. */
const rclone = useS3Program('rclone', (at) => ({
  RCLONE_CONFIG: '/dev/null',
  RCLONE_CONFIG_MILLPOND_TYPE: 's3',
  RCLONE_CONFIG_MILLPOND_PROVIDER: 'Other',
  RCLONE_CONFIG_MILLPOND_ENDPOINT: at.url,
  RCLONE_CONFIG_MILLPOND_ACCESS_KEY_ID: target.account.accessKey,
  RCLONE_CONFIG_MILLPOND_SECRET_ACCESS_KEY: target.account.secretKey,
  RCLONE_S3_UPLOAD_CUTOFF: '6M',
  RCLONE_S3_CHUNK_SIZE: '5M',
  // A fault shows at once instead of after its tries.
  RCLONE_RETRIES: '1',
  RCLONE_LOW_LEVEL_RETRIES: '1',
  ...(at.certificate === undefined ? {} : { RCLONE_CA_CERT: at.certificate }),
}));

test.each(s3Places)('rclone over $name: sync, check, cat, rcat, copies, links, purge', async (at) => {
  const run = async (...args: string[]) => (await rclone.run(args, at)).toString();
  const [bucket, folder] = [s3BucketName(), path.join(rclone.folder, at.host)];
  const tree = {
    'a.txt': Buffer.from('first of all'),
    'dir/ü + b.txt': Buffer.from('second'),
    'dir/deep/large': randomBytes(11 * 1024 * 1024),
    'dir/empty': Buffer.alloc(0),
  };
  const [from, to] = [await treeIn(path.join(folder, 'from'), tree), path.join(folder, 'to')];
  const remote = `millpond:${bucket}`;
  await run('mkdir', remote);
  await run('sync', from, `${remote}/t`);
  await run('check', '--download', from, `${remote}/t`);
  await run('copy', `${remote}/t`, to);
  expect(await filesIn(to)).toEqual(Object.keys(tree).sort());
  expect((await readFile(path.join(to, 'dir/deep/large'))).equals(tree['dir/deep/large'])).toBe(true);

  expect(await run('cat', '--offset', '6', '--count', '2', `${remote}/t/a.txt`)).toBe('of');
  await rclone.run(['rcat', `${remote}/t/piped`], at, 'from a pipe');
  await run('copyto', `${remote}/t/piped`, `${remote}/t/piped again`);
  const link = (await run('link', `${remote}/t/piped again`)).trim();
  expect((await fetchPresigned(link, at)).body.toString()).toBe('from a pipe');

  await writeFile(path.join(from, 'a.txt'), 'changed');
  await run('sync', from, `${remote}/t`);
  expect((await run('lsf', '-R', '--files-only', remote)).trim().split('\n').sort()).toEqual(
    Object.keys(tree)
      .map((name) => `t/${name}`)
      .sort(),
  );
  expect(await run('cat', `${remote}/t/a.txt`)).toBe('changed');
  await run('delete', `${remote}/t/dir`);
  await run('purge', remote);
  expect(await run('lsd', 'millpond:')).not.toContain(bucket);
});
