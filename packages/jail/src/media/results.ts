/** Results that we write ourselves: beside the sources, never where an engine could have placed a link. */
import { writeFile } from 'node:fs/promises';
import { headOf } from '@millpond/blobs';
import { sniffMimeType } from '@millpond/protocol';
import { sourceOfFile } from './files.ts';
import type { CommandContext } from './job.ts';
import type { MediaOutput, MediaResult } from './types.ts';

export async function jsonResult(context: CommandContext, value: unknown): Promise<MediaResult> {
  return singleFileResult(await writeResult(context, Buffer.from(JSON.stringify(value)), 'application/json'));
}

export async function writeResult(
  context: CommandContext,
  bytes: Uint8Array,
  mimeType: string,
): Promise<MediaOutput> {
  const { outside } = context.notePath('result');
  await writeFile(outside, bytes, { flag: 'wx', mode: 0o444 });
  return { path: outside, size: bytes.length, mimeType };
}

/** The source itself, unchanged. */
export async function originalResult(context: CommandContext): Promise<MediaResult> {
  const source = context.source(0);
  await context.input(0);
  const path = source.path ?? context.notePath('0').outside;
  const head = await headOf(sourceOfFile({ path, size: source.size }), context.signal);
  return singleFileResult({
    path,
    size: source.size,
    mimeType: sniffMimeType(head) ?? 'application/octet-stream',
  });
}

export function singleFileResult(main: MediaOutput): MediaResult {
  return { main, parts: [] };
}
