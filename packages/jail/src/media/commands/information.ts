/** avinfo, imageInfo, imageAve, exif, qhash: information about a file. */
import { createHash } from 'node:crypto';
import type { QhashPlan } from '@millpond/protocol';
import { MIB } from '@millpond/protocol';
import { copyProbeRanges } from '../../inspect/probe-file.ts';
import { ProcessingError } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { CommandContext } from '../job.ts';
import { jsonResult } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { imageSource } from './images.ts';

const reads = {
  wholeBytes: 16 * MIB,
  headBytes: 8 * MIB,
  tailBytes: 2 * MIB,
  indexBytes: 32 * MIB,
};

export async function runAvinfo(context: CommandContext): Promise<MediaResult> {
  const { inspection } = await context.probe(await probeable(context));
  return jsonResult(context, inspection.avinfo);
}

async function probeable(context: CommandContext): Promise<string> {
  const source = context.source(0);
  if (source.path !== undefined) return context.input(0);
  const { outside, inside } = context.notePath('probe');
  return (await copyProbeRanges(source, outside, reads, context.signal)) ? inside : context.input(0);
}

export async function runImageInfo(context: CommandContext): Promise<MediaResult> {
  const { imageInfo } = await context.images.look(context.source(0), false, context.signal);
  return jsonResult(context, imageInfo);
}

export async function runImageAve(context: CommandContext): Promise<MediaResult> {
  const { imageAve } = await context.images.look(await imageSource(context, 0), true, context.signal);
  if (imageAve === undefined) throw new ProcessingError('source', 'the image is broken');
  return jsonResult(context, imageAve);
}

export async function runExif(context: CommandContext): Promise<MediaResult> {
  const { exif } = await context.images.look(context.source(0), false, context.signal);
  if (exif === undefined) throw new ProcessingError('source', 'no exif data');
  return jsonResult(context, exif);
}

export async function runQhash(context: CommandContext, { algorithm }: QhashPlan): Promise<MediaResult> {
  const source = context.source(0);
  const hash = createHash(algorithm);
  await eachPiece(source, context.signal, (piece) => void hash.update(piece));
  return jsonResult(context, { hash: hash.digest('hex'), fsize: source.size });
}
