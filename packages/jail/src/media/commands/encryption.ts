/**
 * Segments encrypted by AES-128. We do it ourselves: ffmpeg writes one initialisation vector for all segments, where a playlist
 * without one means the number of each.
 */
import { createCipheriv } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { AvthumbPlan } from '@millpond/protocol';
import type { CommandContext } from '../job.ts';
import type { MediaPart } from '../types.ts';

/** Written beside the sources, where no engine could have placed a link. The plain file is removed. */
export async function encryptSegment(
  context: CommandContext,
  { hlsKey = '', hlsIV }: AvthumbPlan,
  part: MediaPart,
): Promise<MediaPart> {
  const iv = hlsIV === undefined ? numberAsVector(part.count) : Buffer.from(hlsIV, 'hex');
  const { outside } = context.notePath(`encrypted-${part.count}`);
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(hlsKey, 'hex'), iv);
  const handle = await open(part.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const target = createWriteStream(outside, { flags: 'wx', mode: 0o444 });
  await pipeline(handle.createReadStream(), cipher, target, { signal: context.signal });
  await rm(part.path);
  return { ...part, path: outside, size: target.bytesWritten };
}

/** As 128 bits, the highest first. */
function numberAsVector(count: number): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeBigUInt64BE(BigInt(count), 8);
  return iv;
}

/** The line of the playlist before its first segment. */
export function keyLine({ hlsKeyUrl = '', hlsIV }: AvthumbPlan): string {
  const iv = hlsIV === undefined ? '' : `,IV=0x${hlsIV}`;
  return `#EXT-X-KEY:METHOD=AES-128,URI="${hlsKeyUrl}"${iv}`;
}
