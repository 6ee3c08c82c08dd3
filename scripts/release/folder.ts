/** The folder of a release. What is in it follows from the commit, and not from who makes it, when and where. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { knownFiles } from '../pack/known-files.ts';
import { writeTarGz } from '../pack/tar.ts';
import { bomOf, type Lock } from './bom.ts';
import { checksumFile, checksumsOf } from './checksums.ts';

const CHART = 'deploy/helm/millpond';
const CHART_VALUES = 'values.yaml';
const CHART_IMAGES = /(?<=[rR]epository: )(?=millpond)/g;

export interface ReleasePlan {
  readonly root: string;
  readonly version: string;
  readonly notes: string;
  /** In seconds: the time of the commit. */
  readonly epoch: number;
  /** Where its images will be. */
  readonly registry: string;
  readonly say: (line: string) => void;
  /** Each puts its files into a folder; absent: none. */
  readonly makePackages: (folder: string) => Promise<void>;
  readonly makeImages: ((folder: string) => Promise<void>) | undefined;
}

/** Replaces the folder. Returns the checksums in it. */
export async function makeRelease(plan: ReleasePlan, folder: string): Promise<Map<string, string>> {
  const { root, version, notes, epoch, registry, say, makePackages, makeImages } = plan;
  await rm(folder, { recursive: true, force: true });
  const below = async (name: string) => {
    const made = path.join(folder, name);
    await mkdir(made, { recursive: true });
    return made;
  };
  const packages = await below('packages');
  await writeFile(path.join(folder, 'NOTES.md'), notes);
  say('packages');
  await makePackages(packages);
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const bom = bomOf(lock, version);
  await writeFile(path.join(packages, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 1)}\n`);
  say('chart');
  await packChart(root, path.join(await below('chart'), `millpond-${version}.tgz`), epoch, registry);
  if (makeImages !== undefined) {
    say('images');
    await makeImages(await below('images'));
  }
  const sums = await checksumsOf(folder);
  await writeFile(path.join(folder, 'SHA256SUMS'), checksumFile(sums));
  return sums;
}

/**
 * The Helm chart as one file: only what git knows, links to files beside the chart become the files, and the images that
 * its values name are those of the registry that the release is for.
 */
async function packChart(root: string, file: string, epoch: number, registry: string): Promise<void> {
  const values = await readFile(path.join(root, CHART, CHART_VALUES), 'utf8');
  const named = Buffer.from(values.replaceAll(CHART_IMAGES, `${registry}/`));
  const files = knownFiles(root)
    .below(CHART)
    .map((name) => ({
      name: `millpond/${name}`,
      from: name === CHART_VALUES ? named : path.join(root, CHART, name),
    }));
  await writeTarGz(files, file, epoch);
}
