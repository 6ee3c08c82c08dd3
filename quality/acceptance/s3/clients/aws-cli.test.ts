/** aws-cli as it is installed: what its users do every day, and the bytes afterwards. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, treeIn } from '../../support/objects/trees.ts';
import { fetchPresigned } from '../../support/s3/fetching.ts';
import { plainS3, s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { awsEnvironment, useS3Program } from '../../support/s3/programs.ts';

const aws = useS3Program('aws', (at) => ({ ...awsEnvironment(at), AWS_DEFAULT_REGION: 'us-east-1' }));
const s3At =
  (at = plainS3) =>
  async (...args: string[]) =>
    (await aws.run(['--endpoint-url', at.url, 's3', ...args], at)).toString();

test.each(s3Places)('aws s3 sync over $name, up and down, in one piece and in parts', async (at) => {
  const [s3, bucket, folder] = [s3At(at), s3BucketName(), path.join(aws.folder, at.host)];
  // It divides from 8 MiB on.
  const tree = {
    'a.txt': Buffer.from('first'),
    'dir/empty': Buffer.alloc(0),
    'dir/large': randomBytes(9 * 1024 * 1024),
    'dir/ü + b.txt': Buffer.from('second'),
  };
  const from = await treeIn(path.join(folder, 'from'), tree);
  await s3('mb', `s3://${bucket}`);
  await s3('sync', from, `s3://${bucket}/t`);
  await s3('sync', `s3://${bucket}/t`, path.join(folder, 'to'));
  expect(await filesIn(path.join(folder, 'to'))).toEqual(Object.keys(tree));
  for (const [name, content] of Object.entries(tree))
    expect((await readFile(path.join(folder, 'to', name))).equals(content), name).toBe(true);
});

test('aws s3 cp, sync of what is there, ls, presign, rm, rb', async () => {
  const [s3, bucket] = [s3At(), s3BucketName()];
  const folder = await treeIn(path.join(aws.folder, 'files'), { 'small.txt': 'small' });
  await s3('mb', `s3://${bucket}`);
  await s3('cp', path.join(folder, 'small.txt'), `s3://${bucket}/small.txt`);
  expect(await s3('sync', folder, `s3://${bucket}`)).toBe('');
  await s3('cp', `s3://${bucket}/small.txt`, `s3://${bucket}/copies/small.txt`);
  expect(await s3('ls', '--recursive', `s3://${bucket}`)).toMatch(
    /^\S+ \S+ +5 copies\/small\.txt\n\S+ \S+ +5 small\.txt\n$/,
  );
  const url = (await s3('presign', `s3://${bucket}/copies/small.txt`)).trim();
  expect(await fetchPresigned(url, plainS3)).toEqual({ status: 200, body: Buffer.from('small') });
  expect(await s3('cp', `s3://${bucket}/small.txt`, '-')).toBe('small');
  await s3('rm', `s3://${bucket}/copies/small.txt`);
  await s3('rb', '--force', `s3://${bucket}`);
});

test.each([
  ['sts', 'get-caller-identity', 'GetCallerIdentity'],
  ['sts', 'get-session-token', 'GetSessionToken'],
  ['iam', 'list-users', 'ListUsers'],
])(
  'aws %s %s is told in a sentence that there is no such service here [s3-service-01]',
  async (service, call, name) => {
    const asked = aws.run(['--endpoint-url', plainS3.url, service, call], plainS3);
    const { message } = await asked.then(
      () => new Error('it was answered'),
      (error: Error) => error,
    );
    expect(message).toContain(
      `An error occurred (InvalidAction) when calling the ${name} operation: Millpond answers S3 at this address, and has no ${name}: access keys`,
    );
  },
);

test('aws s3api get-object-torrent is told that it is not implemented [s3-torrent-01]', async () => {
  const bucket = s3BucketName();
  await s3At()('mb', `s3://${bucket}`);
  const file = path.join(aws.folder, 'torrent');
  const asked = aws.run(
    ['--endpoint-url', plainS3.url, 's3api', 'get-object-torrent', '--bucket', bucket, '--key', 'k', file],
    plainS3,
  );
  await expect(asked).rejects.toThrow('(NotImplemented) when calling the GetObjectTorrent operation');
});
