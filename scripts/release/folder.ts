/** The folder of a release. What is in it follows from the commit, and not from who makes it, when and where. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bomOf, type Lock } from './bom.ts';
import { packChart } from './chart.ts';
import { checksumFile, checksumsOf } from './checksums.ts';

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
