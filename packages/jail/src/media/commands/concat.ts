/** concat: the bytes of files, one after the other. */
import { open } from 'node:fs/promises';
import type { ConcatPlan } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { Job } from '../job.ts';
import { alone } from '../results.ts';
import type { MediaResult } from '../types.ts';

export async function runConcat(job: Job, { mimeType }: ConcatPlan): Promise<MediaResult> {
  const size = job.sources.reduce((sum, source) => sum + source.size, 0);
  if (size > job.limits.fileBytes) throw new ProcessingFailed('limit', 'the result is too large');
  const { outside } = job.notePath('result');
  const handle = await open(outside, 'wx', 0o444);
  try {
    for (const source of job.sources)
      await eachPiece(source, job.signal, async (piece) => {
        await handle.writeFile(piece);
      });
  } finally {
    await handle.close();
  }
  return alone({ path: outside, size, mimeType });
}
