/**
 * An engine's recording as MP4, with its frames unchanged. The file is fragmented: it plays by itself, and a playlist can name
 * it as a segment, with its head as the initialisation section.
 */
import { open } from 'node:fs/promises';
import { MIB } from '@millpond/protocol';
import { ProcessingError } from './failure.ts';
import { takeOutput } from './files.ts';
import { type CommandContext, inputArguments } from './job.ts';
import type { MediaOutput } from './types.ts';

export interface Remuxed {
  readonly file: MediaOutput;
  readonly seconds: number;
  /** Bytes before the first fragment. */
  readonly headBytes: number;
}

const OUTPUT = 'recording.mp4';
const MAX_FRAGMENT_BYTES = 16 * MIB;
/** A file with more boxes than this before the first fragment is not ours. */
const MAX_BOXES = 16;

export async function remux(context: CommandContext): Promise<Remuxed> {
  const inside = await context.input(0);
  await context.ffmpeg([
    '-fflags',
    '+genpts',
    ...inputArguments(inside),
    // An engine records one track of video and one of sound. Its metadata are dropped.
    '-map',
    '0:V:0?',
    '-map',
    '0:a:0?',
    '-dn',
    '-sn',
    '-map_metadata',
    '-1',
    '-c',
    'copy',
    '-movflags',
    '+frag_keyframe+empty_moov+default_base_moof',
    // A fragment is held in memory until it is complete, which sound alone, or video without key frames, would never be.
    '-frag_size',
    String(MAX_FRAGMENT_BYTES),
    '-f',
    'mp4',
    `file:${OUTPUT}`,
  ]);
  const file = await takeOutput(context.folder, OUTPUT, 'video/mp4');
  const { duration } = await context.probe(OUTPUT);
  if (duration === undefined) throw new ProcessingError('source', 'the recording has no duration');
  return { file, seconds: duration, headBytes: await headOf(file.path) };
}

async function headOf(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    let at = 0;
    for (let count = 0; count < MAX_BOXES; count++) {
      const box = Buffer.alloc(8);
      const { bytesRead } = await handle.read(box, 0, 8, at);
      if (bytesRead < 8 || box.readUInt32BE(0) < 8) break;
      if (box.toString('latin1', 4) === 'moof') return at;
      at += box.readUInt32BE(0);
    }
    throw new ProcessingError('source', 'nothing was recorded');
  } finally {
    await handle.close();
  }
}
