/** Sources as cameras, recorders and editors write them. */
import { colorVideo, type MediaBench } from '../media.testing.ts';
import { barsImage, H264, make, SOUND, type SourceMaker, shown, tags } from './source-makers.ts';

/** A bar that moves, its lower field first. */
function bottomFirst(bench: MediaBench): Buffer {
  const bar = "geq=lum='255*between(X,(N*6),(N*6)+60)':cb=128:cr=128";
  return make(
    bench,
    'bottom-first.mp4',
    '-f lavfi -i color=black:s=320x192:r=50:d=1 -vf',
    `${bar},tinterlace=interleave_bottom,setfield=bff`,
    `${H264} -r 25 -flags +ildct+ilme -x264opts bff=1`,
  );
}

/** A camcorder's tape: wide pixels, interlaced, no word about colours. */
async function tape(bench: MediaBench): Promise<Buffer> {
  const image = await barsImage(720, 576);
  const convert = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p,setdar=16/9';
  return make(bench, 'tape.dv', shown(bench, image), '-vf', convert, '-r 25 -c:v dvvideo -f dv');
}

async function tenBits(bench: MediaBench): Promise<Buffer> {
  const { filter, args } = tags('bt709', 'bt709', 'bt709', 'tv');
  const convert = `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p10le,${filter}`;
  const encoder = '-c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1';
  return make(bench, 'ten.mp4', shown(bench, await barsImage()), '-vf', convert, encoder, args);
}

/** An intermediate of an editor, cropped to a window. */
async function odd422(bench: MediaBench): Promise<Buffer> {
  const { filter, args } = tags('bt709', 'bt709', 'bt709', 'tv');
  const convert = `scale=out_color_matrix=bt709:out_range=tv,format=yuv422p10le,${filter}`;
  return make(bench, 'odd.mkv', shown(bench, await barsImage(343, 191)), '-vf', convert, '-c:v ffv1', args);
}

/** Frames of a webcam are JPEGs: of the full range. */
async function motionJpeg(bench: MediaBench): Promise<Buffer> {
  return make(
    bench,
    'webcam.avi',
    shown(bench, await barsImage()),
    '-c:v mjpeg -pix_fmt yuvj422p -q:v 2 -color_range pc',
  );
}

/** Seconds of red, lime, blue and white, with a tone. The times of its frames begin at `start`. */
function broadcast(bench: MediaBench, start: number): Buffer {
  const late = `-muxdelay 0 -muxpreload 0 -output_ts_offset ${start}`;
  return make(bench, 'broadcast.ts', colorVideo(4), '-bf 2', late);
}

/** A telephone's sound. */
function doorbell(bench: MediaBench): Buffer {
  const video = '-f lavfi -i testsrc2=s=160x90:r=10:d=2';
  return make(bench, 'bell.mkv', `${video} ${SOUND}2 ${H264} -c:a pcm_alaw -ar 8000 -ac 1`);
}

/** Two seconds of frames of 12.2 kbit/s, whose bits nobody chose. */
function memo(): Buffer {
  let seed = 11;
  const frames = Array.from({ length: 100 }, () => {
    const bits = Array.from({ length: 31 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed >> 16) & 0xff;
    });
    return Buffer.from([0x3c, ...bits]);
  });
  return Buffer.concat([Buffer.from('#!AMR\n'), ...frames]);
}

/** Cut without encoding: an edit list says that it begins in the middle of the blue second. */
function edited(bench: MediaBench): Buffer {
  const whole = bench.file(
    make(bench, 'whole.mp4', colorVideo(4), '-g 1000 -bf 0 -sc_threshold 0'),
    'whole.mp4',
  );
  return make(bench, 'edited.mp4', `-ss 2.5 -i ${whole} -c copy`);
}

/** As a browser records: neither a length nor an index. */
function browser(bench: MediaBench): Buffer {
  const encoder = '-c:v libvpx -deadline realtime -cpu-used 8 -b:v 500k -c:a libopus -live 1';
  return make(bench, 'browser.webm', colorVideo(4), encoder);
}

function fragmented(bench: MediaBench): Buffer {
  return make(bench, 'fragmented.mp4', colorVideo(4), '-movflags frag_keyframe+empty_moov+default_base_moof');
}

/** The microphone was switched on a second after the camera. */
function lateSound(bench: MediaBench): Buffer {
  return make(
    bench,
    'late.mkv',
    `-f lavfi -i testsrc2=s=160x90:r=10:d=3 -itsoffset 1 ${SOUND}2 -map 0:v -map 1:a ${H264} -c:a aac`,
  );
}

/** The left half is red, the right half is not there. */
function overlay(bench: MediaBench): Buffer {
  const half = "format=rgba,geq=r=255:g=0:b=0:a='255*lt(X,80)'";
  const encoder = '-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le';
  return make(bench, 'overlay.mov', '-f lavfi -i color=red:s=160x90:r=10:d=0.5 -vf', half, encoder);
}

/** Speech from a messenger: many samples, few bits. */
function voice(bench: MediaBench): Buffer {
  return make(
    bench,
    'voice.opus',
    '-f lavfi -i anoisesrc=d=2:a=0.1:seed=3:c=pink -ac 1 -c:a libopus -b:a 12k',
  );
}

export const recordings = {
  bottomFirst,
  tape,
  tenBits,
  odd422,
  motionJpeg,
  farTs: (bench) => broadcast(bench, 50_000),
  // Times of 33 bits begin anew after 95443.7 seconds.
  wrappingTs: (bench) => broadcast(bench, 95_442.2),
  doorbell,
  memo,
  voice,
  edited,
  browser,
  fragmented,
  lateSound,
  overlay,
} as const satisfies Record<string, SourceMaker>;
