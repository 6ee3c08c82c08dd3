/**
 * One object into a file: beside it first, and put in place when all of it has arrived and its hash is right. What a killed command
 * left is gone on with, if the object is still the same.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { MillpondError, nodeHashing } from '@millpond/client';
import type { Client } from '@millpond/client/server';
import { createEtagStream } from '@millpond/protocol';

export interface DownOptions {
  readonly signal: AbortSignal;
  readonly resume: boolean;
  readonly onProgress: (done: number) => void;
}

export async function copyDown(
  client: Client,
  from: { readonly bucket: string; readonly key: string },
  file: string,
  { signal, resume, onProgress }: DownOptions,
) {
  await mkdir(path.dirname(file), { recursive: true });
  const first = await client.download(from.bucket, from.key, { signal });
  const beside = besideOf(file, first.hash);
  const there = resume ? await sizeOf(beside) : 0;
  const start = there < first.size ? there : 0;
  let content = first.content;
  if (start > 0) {
    await content[Symbol.asyncIterator]().return?.();
    content = (await client.download(from.bucket, from.key, { signal, start, hash: first.hash })).content;
  }
  const handle = await open(beside, start > 0 ? 'r+' : 'w');
  let at = start;
  try {
    for await (const chunk of content) {
      await handle.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      onProgress(at);
    }
  } finally {
    await handle.close();
  }
  // The client has checked what came in one piece; what came in two is read again.
  if (start > 0 && /^[Fl]/.test(first.hash) && (await etagOfFile(beside)) !== first.hash) {
    await rm(beside, { force: true });
    throw new MillpondError('integrity', 'what arrived is not what is stored');
  }
  await rename(beside, file);
  return { size: first.size, sent: 0, received: at - start, hash: first.hash };
}

/** Short, whatever the file is called: a name may have as many bytes as the file system takes. */
function besideOf(file: string, hash: string): string {
  const name = createHash('sha1')
    .update(`${path.basename(file)}\n${hash}`)
    .digest('hex')
    .slice(0, 16);
  return path.join(path.dirname(file), `.millpond-${name}.part`);
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function etagOfFile(file: string): Promise<string> {
  const running = createEtagStream(nodeHashing);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) running.update(chunk);
  return running.digest().etag;
}
