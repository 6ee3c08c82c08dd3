/** avinfo, imageInfo, imageAve, exif, qhash: information about a file. */
import { createHash } from 'node:crypto';
import type { QhashPlan } from '@millpond/protocol';
import { MIB } from '@millpond/protocol';
import { materialise } from '../../inspect/materialise.ts';
import { ProcessingFailed } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { Job } from '../job.ts';
import { jsonResult } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { imageSource } from './images.ts';

const reads = {
  wholeBytes: 16 * MIB,
  headBytes: 8 * MIB,
  tailBytes: 2 * MIB,
  indexBytes: 32 * MIB,
};

export async function runAvinfo(job: Job): Promise<MediaResult> {
  const { inspection } = await job.probe(await probeable(job));
  return jsonResult(job, inspection.avinfo);
}

async function probeable(job: Job): Promise<string> {
  const source = job.source(0);
  if (source.path !== undefined) return job.input(0);
  const { outside, inside } = job.notePath('probe');
  return (await materialise(source, outside, reads, job.signal)) ? inside : job.input(0);
}

export async function runImageInfo(job: Job): Promise<MediaResult> {
  const { imageInfo } = await job.images.look(job.source(0), false, job.signal);
  return jsonResult(job, imageInfo);
}

export async function runImageAve(job: Job): Promise<MediaResult> {
  const { imageAve } = await job.images.look(await imageSource(job, 0), true, job.signal);
  if (imageAve === undefined) throw new ProcessingFailed('source', 'the image is broken');
  return jsonResult(job, imageAve);
}

export async function runExif(job: Job): Promise<MediaResult> {
  const { exif } = await job.images.look(job.source(0), false, job.signal);
  if (exif === undefined) throw new ProcessingFailed('source', 'no exif data');
  return jsonResult(job, exif);
}

export async function runQhash(job: Job, { algorithm }: QhashPlan): Promise<MediaResult> {
  const source = job.source(0);
  const hash = createHash(algorithm);
  await eachPiece(source, job.signal, (piece) => void hash.update(piece));
  return jsonResult(job, { hash: hash.digest('hex'), fsize: source.size });
}
