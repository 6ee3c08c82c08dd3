/** Results that we write ourselves: beside the sources, never where an engine could have placed a link. */
import { writeFile } from 'node:fs/promises';
import { headOf } from '@millpond/blobs';
import { sniffMimeType } from '@millpond/protocol';
import { sourceOfFile } from './files.ts';
import type { Job } from './job.ts';
import type { MediaOutput, MediaResult } from './types.ts';

export async function jsonResult(job: Job, value: unknown): Promise<MediaResult> {
  return alone(await writeResult(job, Buffer.from(JSON.stringify(value)), 'application/json'));
}

export async function writeResult(job: Job, bytes: Uint8Array, mimeType: string): Promise<MediaOutput> {
  const { outside } = job.notePath('result');
  await writeFile(outside, bytes, { flag: 'wx', mode: 0o444 });
  return { path: outside, size: bytes.length, mimeType };
}

/** The source itself, unchanged. */
export async function originalResult(job: Job): Promise<MediaResult> {
  const source = job.source(0);
  await job.input(0);
  const path = source.path ?? job.notePath('0').outside;
  const head = await headOf(sourceOfFile({ path, size: source.size }), job.signal);
  return alone({ path, size: source.size, mimeType: sniffMimeType(head) ?? 'application/octet-stream' });
}

export function alone(main: MediaOutput): MediaResult {
  return { main, parts: [] };
}
