/** boto3 as it is installed: a program of a user's own, in Python. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { awsEnvironment, useS3Program } from '../../support/s3/programs.ts';

const python = useS3Program('python3', awsEnvironment);

test.each(s3Places)(
  'boto3 over $name: objects, lists, parts, streams, copies, presigned URLs and forms',
  async (at) => {
    const program = await readFile(path.join(import.meta.dirname, 'boto3-work.py'));
    const args = ['-', at.url, s3BucketName(), at.certificate ?? ''];
    expect((await python.run(args, at, program)).toString()).toBe('done\n');
  },
);
