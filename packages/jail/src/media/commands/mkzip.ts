/** mkzip: an archive of files. stages.ts puts the entries of form 4 into its plan. */
import { open } from 'node:fs/promises';
import { headOf, type MediaSource } from '@millpond/blobs';
import { type MkzipPlan, sniffMimeType } from '@millpond/protocol';
import { ProcessingError } from '../failure.ts';
import { eachPiece } from '../files.ts';
import type { CommandContext } from '../job.ts';
import { singleFileResult } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { createZipWriter, isPackedType } from '../zip-writer.ts';

export async function runMkzip(context: CommandContext, { entries }: MkzipPlan): Promise<MediaResult> {
  if (entries.length === 0) throw new ProcessingError('source', 'mkzip names no file');
  const total = context.sources.slice(1).reduce((sum, { size }) => sum + size, 0);
  if (total > context.limits.fileBytes) throw new ProcessingError('limit', 'the result is too large');
  const { outside } = context.notePath('result');
  const handle = await open(outside, 'wx', 0o444);
  try {
    const writer = createZipWriter((bytes) => handle.writeFile(bytes));
    for (const [index, { name }] of entries.entries()) {
      const source = context.source(index + 1);
      const pieces = { size: source.size, each: pieceReader(context, source) };
      await writer.add(name, pieces, (await isPacked(context, source)) ? 'store' : 'deflate');
    }
    const size = await writer.finish();
    return singleFileResult({ path: outside, size, mimeType: 'application/zip' });
  } finally {
    await handle.close();
  }
}

function pieceReader(context: CommandContext, source: MediaSource) {
  return (take: (piece: Uint8Array) => Promise<void>): Promise<void> =>
    eachPiece(source, context.signal, take);
}

async function isPacked(context: CommandContext, source: MediaSource): Promise<boolean> {
  const type = sniffMimeType(await headOf(source, context.signal));
  return type !== undefined && isPackedType(type);
}
