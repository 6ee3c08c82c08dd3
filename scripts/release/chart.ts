/** The Helm chart as one file, the same bytes from the same commit: names sorted, nobody's files, of the commit's time. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { knownFiles } from '../pack/known-files.ts';

const run = promisify(execFile);
const CHART = 'deploy/helm/millpond';

export async function packChart(root: string, file: string, epoch: number): Promise<void> {
  const staging = await mkdtemp(path.join(tmpdir(), 'millpond-chart-'));
  try {
    // Only what git knows; links to files beside the chart become the files.
    for (const name of knownFiles(root).below(CHART)) {
      const target = path.join(staging, 'millpond', name);
      await mkdir(path.dirname(target), { recursive: true });
      await cp(path.join(root, CHART, name), target, { dereference: true });
    }
    await run('tar', [
      ...[
        '--sort=name',
        `--mtime=@${epoch}`,
        '--owner=0',
        '--group=0',
        '--numeric-owner',
        '--mode=u=rwX,go=rX',
      ],
      ...['--format=ustar', '--use-compress-program=gzip -n9', '-C', staging, '-cf', file, 'millpond'],
    ]);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
