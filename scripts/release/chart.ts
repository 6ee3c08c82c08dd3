/** The Helm chart as one file: only what git knows, and links to files beside the chart become the files. */
import path from 'node:path';
import { knownFiles } from '../pack/known-files.ts';
import { writeTarGz } from '../pack/tar.ts';

const CHART = 'deploy/helm/millpond';

export async function packChart(root: string, file: string, epoch: number): Promise<void> {
  const files = knownFiles(root)
    .below(CHART)
    .map((name) => ({ name: `millpond/${name}`, from: path.join(root, CHART, name) }));
  await writeTarGz(files, file, epoch);
}
