/**
 * A camera's program stream as FLV while it arrives, by ffmpeg in the sandbox: the video unchanged, the sound as AAC. FLV
 * carries H.264; H.265 is refused with its own reason, or re-encoded where that is wanted.
 */
import type { Readable, Writable } from 'node:stream';
import { MIB } from '@millpond/protocol';
import type { JobLimits, RunOutcome, Sandbox } from '../sandbox/index.ts';
import { sanitizeStderr } from './failure.ts';

export interface LiveRemuxOptions {
  /** Encodes the video, whatever its format. */
  readonly isEncoding?: boolean;
  /** Drops the sound: unreadable sound spoils the video. */
  readonly isMute?: boolean;
}

export interface LiveRemuxEnd {
  readonly isH265: boolean;
  /** For the user of the camera. */
  readonly reason: string;
  /** The engine's last output, for operators. */
  readonly words: string;
}

export interface LiveRemux {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Never rejects. */
  readonly ended: Promise<LiveRemuxEnd>;
  end(): void;
}

/** What one camera's program may use. */
export const liveRemuxMemory = { copyingBytes: 256 * MIB, encodingBytes: 768 * MIB };

/** It writes no file. Its processor time limit lasts for weeks if the video is only passed on. */
const limits: JobLimits = {
  wallMs: Number.POSITIVE_INFINITY,
  cpuSeconds: 6 * 3600,
  memoryBytes: liveRemuxMemory.copyingBytes,
  processes: 64,
  fileBytes: 0,
  totalBytes: 0,
  files: 0,
  stdoutBytes: Number.POSITIVE_INFINITY,
  stderrBytes: 8192,
};
const encodingLimits: JobLimits = {
  ...limits,
  cpuSeconds: 7 * 86_400,
  memoryBytes: liveRemuxMemory.encodingBytes,
};

/** The filter changes nothing here: it takes H.264 alone. Newer ffmpegs write H.265 into FLV, which players and the live engine do not know. */
const COPY = ['-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb'];
const ENCODE = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-tune',
  'zerolatency',
  '-pix_fmt',
  'yuv420p',
  // Players wait for a key frame.
  '-force_key_frames',
  'expr:gte(t,n_forced*2)',
  '-threads',
  '2',
];
/**
 * A recorder's mark before the stream. It makes ffmpeg take undeclared sound for G.711, which cameras of GB/T 28181 send, and
 * which it would otherwise take for MP2.
 */
const RECORDER_MARK = Buffer.from('IMKH\0\0\0\0', 'latin1');
const SOUND = ['-map', '0:a:0?', '-c:a', 'aac', '-ac', '1', '-b:a', '48k'];
const H265 = /\bhevc\b.*not supported by the bitstream filter/i;
const MAX_MESSAGE_LENGTH = 300;

/** Where the engine did not end by itself. */
const REASONS: Partial<Record<RunOutcome, string>> = {
  aborted: 'it was ended',
  memory: 'its video takes too much memory',
  killed: 'its video takes too much processor time',
};

function reasonIn(words: string): string {
  if (words === '') return 'it has ended';
  return /Invalid data|could not find codec|matches no streams|does not contain any stream/i.test(words)
    ? 'nothing in it could be read as video'
    : 'its video could not be passed on';
}

export function startLiveRemux(
  { sandbox, program }: { readonly sandbox: Sandbox; readonly program: string },
  { isEncoding = false, isMute = false }: LiveRemuxOptions = {},
): LiveRemux {
  const started = sandbox.start({
    program,
    args: [
      '-hide_banner',
      '-v',
      'error',
      '-nostats',
      '-threads',
      '1',
      '-max_pixels',
      '35000000',
      '-protocol_whitelist',
      'pipe',
      '-format_whitelist',
      'mpeg',
      '-fflags',
      '+genpts+nobuffer',
      // Long enough to find the sound, short enough to cause no wait.
      '-probesize',
      '1000000',
      '-analyzeduration',
      '1000000',
      '-f',
      'mpeg',
      '-i',
      'pipe:0',
      '-map',
      '0:V:0',
      ...(isMute ? [] : SOUND),
      '-dn',
      '-sn',
      '-map_metadata',
      '-1',
      ...(isEncoding ? ENCODE : COPY),
      '-max_interleave_delta',
      '1000000',
      '-flvflags',
      'no_duration_filesize',
      '-flush_packets',
      '1',
      '-f',
      'flv',
      'pipe:1',
    ],
    limits: isEncoding ? encodingLimits : limits,
  });
  started.stdin.write(RECORDER_MARK);
  return {
    stdin: started.stdin,
    stdout: started.stdout,
    ended: started.ended.then(
      ({ outcome, stderr }) => {
        const words = sanitizeStderr(stderr);
        const isH265 = H265.test(words);
        const reason = isH265 ? 'its video is not H.264' : (REASONS[outcome] ?? reasonIn(words));
        return { isH265, reason, words: words.slice(-MAX_MESSAGE_LENGTH) };
      },
      () => ({ isH265: false, reason: 'this server has no sandbox for media', words: '' }),
    ),
    end: () => started.end('aborted'),
  };
}
