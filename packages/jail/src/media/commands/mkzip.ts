/** mkzip: an archive of files. stages.ts puts the entries of form 4 into its plan. */
import { open } from 'node:fs/promises';
import { headOf, type MediaSource } from '@millpond/blobs';
import { type MkzipPlan, sniffMimeType } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { Job } from '../job.ts';
import { alone } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { createZipWriter, isPackedType } from '../zip-writer.ts';

export async function runMkzip(job: Job, { entries }: MkzipPlan): Promise<MediaResult> {
  if (entries.length === 0) throw new ProcessingFailed('source', 'mkzip names no file');
  const total = job.sources.slice(1).reduce((sum, { size }) => sum + size, 0);
  if (total > job.limits.fileBytes) throw new ProcessingFailed('limit', 'the result is too large');
  const { outside } = job.notePath('result');
  const handle = await open(outside, 'wx', 0o444);
  try {
    const writer = createZipWriter((bytes) => handle.writeFile(bytes));
    for (const [index, { name }] of entries.entries()) {
      const source = job.source(index + 1);
      const pieces = { size: source.size, each: pieceReader(job, source) };
      await writer.add(name, pieces, (await isPacked(job, source)) ? 'store' : 'deflate');
    }
    const size = await writer.finish();
    return alone({ path: outside, size, mimeType: 'application/zip' });
  } finally {
    await handle.close();
  }
}

function pieceReader(job: Job, source: MediaSource) {
  return (take: (piece: Uint8Array) => Promise<void>): Promise<void> => eachPiece(source, job.signal, take);
}

async function isPacked(job: Job, source: MediaSource): Promise<boolean> {
  const type = sniffMimeType(await headOf(source, job.signal));
  return type !== undefined && isPackedType(type);
}
