/** concat: the bytes of files, one after the other. */
import { open } from 'node:fs/promises';
import type { ConcatPlan } from '@millpond/protocol';
import { ProcessingError } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { CommandContext } from '../job.ts';
import { singleFileResult } from '../results.ts';
import type { MediaResult } from '../types.ts';

export async function runConcat(context: CommandContext, { mimeType }: ConcatPlan): Promise<MediaResult> {
  const size = context.sources.reduce((sum, source) => sum + source.size, 0);
  if (size > context.limits.fileBytes) throw new ProcessingError('limit', 'the result is too large');
  const { outside } = context.notePath('result');
  const handle = await open(outside, 'wx', 0o444);
  try {
    for (const source of context.sources)
      await eachPiece(source, context.signal, async (piece) => {
        await handle.writeFile(piece);
      });
  } finally {
    await handle.close();
  }
  return singleFileResult({ path: outside, size, mimeType });
}
