/** MinIO's client, where it is at hand: this machine's Debian has none (`npm run s3-clients -- trixie`). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { treeIn } from '../../support/objects/trees.ts';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { hasMinioClient, useS3Program } from '../../support/s3/programs.ts';
import { target } from '../../support/target.ts';

describe.runIf(hasMinioClient)('mc', () => {
  const { accessKey, secretKey } = target.account;
  const mc = useS3Program('minio-client', (at) => ({
    MC_HOST_home: at.url.replace('//', `//${accessKey}:${secretKey}@`),
    ...(at.certificate === undefined ? {} : { SSL_CERT_FILE: at.certificate }),
  }));

  test.each(s3Places)('over $name: mb, mirror, ls, cat, stat, cp, rm, rb', async (at) => {
    const run = async (...args: string[]) => (await mc.run(['--no-color', ...args], at)).toString();
    const [bucket, folder] = [s3BucketName(), path.join(mc.folder, at.host)];
    const from = await treeIn(path.join(folder, 'from'), {
      'a.txt': 'first',
      'dir/b c.txt': 'second',
      empty: '',
    });
    await run('mb', `home/${bucket}`);
    await run('mirror', from, `home/${bucket}/t`);
    expect(await run('cat', `home/${bucket}/t/a.txt`)).toBe('first');
    expect(await run('ls', '--recursive', `home/${bucket}`)).toContain('t/dir/b c.txt');
    expect(await run('stat', `home/${bucket}/t/a.txt`)).toContain('8b04d5e3775d298e78455efc5ca404d5');
    await run('cp', `home/${bucket}/t/a.txt`, `home/${bucket}/copied.txt`);
    await run('cp', `home/${bucket}/copied.txt`, path.join(folder, 'copied.txt'));
    expect(await readFile(path.join(folder, 'copied.txt'), 'utf8')).toBe('first');
    await run('stat', `home/${bucket}`);
    await run('rm', '--recursive', '--force', `home/${bucket}/t`);
    await run('rb', '--force', `home/${bucket}`);
  });
});
