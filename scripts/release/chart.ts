/**
 * The Helm chart as one file: only what git knows, links to files beside the chart become the files, and the images that its values name are
 * those of the registry that the release is for.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { knownFiles } from '../pack/known-files.ts';
import { writeTarGz } from '../pack/tar.ts';

const CHART = 'deploy/helm/millpond';
const VALUES = 'values.yaml';
const IMAGES = /(?<=[rR]epository: )(?=millpond)/g;

export async function packChart(root: string, file: string, epoch: number, registry: string): Promise<void> {
  const values = await readFile(path.join(root, CHART, VALUES), 'utf8');
  const named = Buffer.from(values.replaceAll(IMAGES, `${registry}/`));
  const files = knownFiles(root)
    .below(CHART)
    .map((name) => ({
      name: `millpond/${name}`,
      from: name === VALUES ? named : path.join(root, CHART, name),
    }));
  await writeTarGz(files, file, epoch);
}
