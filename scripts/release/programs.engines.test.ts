// @module-tag debian
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');

test('what a release would refuse, and programs that are missing, are told before anything is made', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-programs-'));
  try {
    for (const program of ['git', 'sh']) {
      const { stdout } = await run('sh', ['-c', `command -v ${program}`]);
      await symlink(stdout.trim(), path.join(folder, program));
    }
    const args = ['scripts/release/main.ts', '--dry-run', '--images', 'debootstrap', '--out', folder];
    const refused = run(process.execPath, args, { cwd: ROOT, env: { PATH: folder } });
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^missing: buildah, podman, debootstrap\. On Debian: apt-get /m),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
