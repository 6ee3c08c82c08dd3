/** Sources that were wrong in the result once, each made when it is first asked for: small, and known to the pixel. */
import { createCipheriv } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import type { MediaBench } from '../media.testing.ts';
import { pictures } from './pictures.ts';
import { recordings } from './recordings.ts';
import { barsImage, H264, make, png, SOUND, type SourceMaker, shown, tags } from './source-makers.ts';

interface Bars {
  readonly size?: readonly [number, number];
  readonly matrix: 'bt601' | 'bt709';
  readonly range?: 'tv' | 'pc';
  /** In the file. */
  readonly tag: 'smpte170m' | 'bt709' | 'unknown';
}

async function bars(bench: MediaBench, { size = [322, 180], matrix, range = 'tv', tag }: Bars) {
  const { filter, args } = tags(tag, tag, tag, range);
  const convert = `scale=out_color_matrix=${matrix}:out_range=${range},format=yuv420p,${filter}`;
  return make(bench, 'bars.mp4', shown(bench, await barsImage(...size)), '-vf', convert, H264, args);
}

/** SDR at 203 cd/m², as ITU-R BT.2408 puts it into HDR. */
async function hdrBars(bench: MediaBench, transfer: 'smpte2084' | 'arib-std-b67'): Promise<Buffer> {
  const { filter, args } = tags('bt2020nc', 'bt2020', transfer, 'tv');
  const convert = [
    'scale=out_color_matrix=bt709:out_range=tv,format=yuv444p',
    `zscale=min=709:pin=709:tin=709:rin=tv:p=2020:t=${transfer}:m=2020_ncl:r=tv:npl=203`,
    `format=yuv420p10le,${filter}`,
  ].join(',');
  const mastering = 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)';
  const x265 = `log-level=none:hdr10=1:master-display=${mastering}:max-cll=1000,400`;
  const encoder = `-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params ${x265}`;
  return make(bench, 'hdr.mp4', shown(bench, await barsImage()), '-vf', convert, encoder, args);
}

/** One pixel is `aspect` times as wide as it is high. */
function anamorphic(bench: MediaBench, size: string, aspect: string): Buffer {
  const still = `-f lavfi -i color=gray:s=${size}:r=5:d=0.4 -vf setsar=${aspect}`;
  return make(bench, 'anamorphic.mp4', still, H264);
}

function noisy(seconds: number): string {
  const video = `-f lavfi -i testsrc2=s=320x180:r=25:d=${seconds},noise=alls=40:allf=t`;
  return `${video} ${SOUND}${seconds} ${H264} -g 25 -c:a aac`;
}

function cut(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * 0.6));
}

/** A hole in every thirtieth packet: what a bad aerial leaves. */
function damaged(stream: Buffer): Buffer {
  const holes = Buffer.from(stream);
  for (let at = 188 * 200; at + 188 <= holes.length; at += 188 * 30) holes.fill(0xff, at + 8, at + 188);
  return holes;
}

const SUBTITLES = '1\n00:00:00,100 --> 00:00:01,500\nHello\n\n2\n00:00:01,600 --> 00:00:03,900\npond\n';

function tracks(bench: MediaBench): Buffer {
  const subtitles = bench.file(Buffer.from(SUBTITLES), 's.srt');
  return make(
    bench,
    'tracks.mkv',
    `-f lavfi -i testsrc2=s=160x90:r=10:d=2 ${SOUND}2 -f lavfi -i sine=f=880:d=2 -i ${subtitles} -i ${subtitles}`,
    `-map 0:v -map 1:a -map 2:a -map 3:s -map 4:s ${H264} -c:a aac -c:s srt`,
    '-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu',
    '-metadata:s:s:0 language=eng -metadata:s:s:1 language=fra',
  );
}

/** Two fields of different times in each frame: a bar that moves. */
function interlaced(bench: MediaBench): Buffer {
  const bar = "geq=lum='255*between(X,(N*6),(N*6)+60)':cb=128:cr=128";
  return make(
    bench,
    'interlaced.mp4',
    '-f lavfi -i color=black:s=320x192:r=50:d=1 -vf',
    `${bar},tinterlace=interleave_top,setfield=tff`,
    `${H264} -r 25 -flags +ildct+ilme -x264opts tff=1`,
  );
}

/** Its times are in milliseconds, so that is its nominal rate. */
function variable(bench: MediaBench): Buffer {
  const times = "select='not(mod(n\\,4))+not(mod(n\\,7))'";
  const input = `-f lavfi -i testsrc2=s=160x90:r=60:d=1.5 -vf ${times}`;
  return make(
    bench,
    'variable.mp4',
    `${input} -fps_mode vfr -enc_time_base 1:1000 -video_track_timescale 1000 ${H264}`,
  );
}

function lastFrameLong(bench: MediaBench): Buffer {
  const frames = make(bench, 'frames.mp4', `-f lavfi -i testsrc2=s=160x90:r=10:d=1 ${H264}`);
  const last = 'setts=duration=if(eq(N\\,9)\\,3/TB\\,DURATION)';
  return make(bench, 'slides.mp4', `-i ${bench.file(frames, 'frames.mp4')} -c copy -bsf:v ${last}`);
}

/** As a phone writes it that was held upright. */
function phone(bench: MediaBench): Buffer {
  const metadata = {
    title: 'Mill',
    artist: 'Miller',
    comment: 'pond',
    location: '+48.8577+002.2950/',
    creation_time: '2026-05-04T03:02:01.000000Z',
  };
  const said = Object.entries(metadata).map(([name, value]) => `-metadata ${name}=${value}`);
  const video = make(bench, 'phone.mp4', noisy(1), said.join(' '), '-metadata:s:a:0 language=fra');
  return bench.turned(video, 90);
}

function surround(bench: MediaBench): Buffer {
  const inputs = '-f lavfi -i testsrc2=s=160x90:r=10:d=1.5 -f lavfi -i anoisesrc=d=1.5:a=0.2';
  const side = 'pan=5.1(side)|FL=c0|FR=0.7*c0|FC=0.5*c0|LFE=0.1*c0|SL=0.4*c0|SR=0.3*c0';
  return make(bench, 'surround.mkv', `${inputs} -af ${side} -c:a ac3 ${H264}`);
}

/** The left half is red, the right half is not there. */
async function transparent(bench: MediaBench): Promise<Buffer> {
  const red = { create: { width: 80, height: 90, channels: 4, background: '#ff0000ff' } } as const;
  const image = await sharp({ create: { width: 160, height: 90, channels: 4, background: '#00000000' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const encoder = '-c:v libvpx-vp9 -pix_fmt yuva420p -deadline realtime -auto-alt-ref 0';
  return make(bench, 'glass.webm', shown(bench, image), encoder);
}

/** Waves and a little noise: neither flat nor random, as photographs are. */
async function photo(width = 640, height = 400): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let seed = 7;
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const grain = ((seed >> 16) % 17) - 8;
    const wave = Math.sin(x / 9) * Math.cos(y / 13) * 60 + Math.sin((x + y) / 41) * 50;
    for (const [channel, shift] of [120, 128, 110].entries())
      pixels[at * 3 + channel] = Math.max(0, Math.min(255, shift + wave * (1 - channel / 4) + grain));
  }
  return png(pixels, width, height);
}

const PLACE = {
  IFD0: { Artist: 'Miller' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 2772/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 4200/100',
  },
};
const PLACE_IN_XMP = [
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">',
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""',
  ' xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"',
  ' exif:GPSLatitude="48,51.462N" dc:format="image/jpeg"><exif:GPSLongitude>2,17.7E</exif:GPSLongitude>',
  '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
].join('');

async function placed(format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const image = sharp(await photo(64, 40)).withExif(PLACE);
  return (format === 'jpeg' ? image.withXmp(PLACE_IN_XMP).withIccProfile('p3') : image)
    .toFormat(format)
    .toBuffer();
}

/** An image that says it is HEIC with H.265, and is not: nothing here can encode one. */
async function heic(): Promise<Buffer> {
  const avif = await solid('#336699').avif().toBuffer();
  const said = avif.toString('latin1').replace('ftypavif', 'ftypheic');
  return Buffer.from(said.replaceAll('av01', 'hvc1').replaceAll('av1C', 'hvcC'), 'latin1');
}

function solid(background: string): Sharp {
  return sharp({ create: { width: 32, height: 32, channels: 3, background } });
}

async function animatedWebp(): Promise<Buffer> {
  const frames = await Promise.all(['#ff0000', '#00ff00'].map((color) => solid(color).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer();
}

const HEV1 = '-c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hev1';
const PEAKS = "volume='0.3+0.7*gt(mod(t,1),0.6)+6*lt(mod(t,2.1),0.01)':eval=frame";

const makers = {
  bars709: (bench) => bars(bench, { matrix: 'bt709', tag: 'bt709' }),
  bars601: (bench) => bars(bench, { matrix: 'bt601', tag: 'smpte170m' }),
  barsUntaggedHd: (bench) => bars(bench, { matrix: 'bt709', tag: 'unknown', size: [1274, 720] }),
  barsUntaggedSd: (bench) => bars(bench, { matrix: 'bt601', tag: 'unknown' }),
  barsFull: (bench) => bars(bench, { matrix: 'bt709', tag: 'bt709', range: 'pc' }),
  barsPng: () => barsImage(),
  screen: async (bench) =>
    make(bench, 'screen.mkv', shown(bench, await barsImage()), '-c:v ffv1 -pix_fmt gbrp'),
  screenOdd: async (bench) =>
    make(bench, 'screen.mkv', shown(bench, await barsImage(343, 191)), '-c:v ffv1 -pix_fmt gbrp'),
  pq: (bench) => hdrBars(bench, 'smpte2084'),
  hlg: (bench) => hdrBars(bench, 'arib-std-b67'),
  pal: (bench) => anamorphic(bench, '180x144', '64/45'),
  ntsc: (bench) => anamorphic(bench, '176x120', '10/11'),
  narrow: (bench) => anamorphic(bench, '320x120', '3/4'),
  palTurned: (bench) => bench.turned(anamorphic(bench, '180x144', '64/45'), 90),
  narrowTurned: (bench) => bench.turned(anamorphic(bench, '320x120', '3/4'), 270),
  cutMp4: (bench) => cut(make(bench, 'whole.mp4', noisy(4), '-movflags +faststart')),
  cutMkv: (bench) => cut(make(bench, 'whole.mkv', noisy(4))),
  damagedTs: (bench) => damaged(make(bench, 'whole.ts', noisy(2))),
  lastFrameLong,
  hev1: (bench) =>
    make(bench, 'hev1.mp4', `-f lavfi -i testsrc2=s=320x180:r=25:d=1 ${HEV1} -pix_fmt yuv420p`),
  phone,
  surround,
  quiet: (bench) => make(bench, 'quiet.wav', '-f lavfi -i anoisesrc=d=3:a=0.01:seed=3:c=pink -ar 48000'),
  peaky: (bench) =>
    make(bench, 'peaky.wav', '-f lavfi -i anoisesrc=d=6:a=0.1:seed=3:c=pink -ar 48000 -ac 2 -af', PEAKS),
  interlaced,
  variable,
  tracks,
  transparent,
  long: (bench) => make(bench, 'long.mp4', `-f lavfi -i testsrc2=s=64x64:r=5:d=12 ${H264} -g 10`),
  song: async (bench) => {
    const cover = bench.file(await photo(64, 64), 'cover.png');
    const maps = '-map 0:a -map 1:v -c:v png -disposition:v attached_pic';
    return make(bench, 'song.mp3', `${SOUND}1 -i ${cover} ${maps}`);
  },
  photo: () => photo(),
  placedJpeg: () => placed('jpeg'),
  placedPng: () => placed('png'),
  placedWebp: () => placed('webp'),
  heic,
  animatedWebp,
  noise: () => createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(40_000)),
  ...recordings,
  ...pictures,
} as const satisfies Record<string, SourceMaker>;

export type SourceName = keyof typeof makers;

/** Each source is made once, however many rows use it. */
export function sourcesOf(bench: MediaBench): (name: SourceName) => Promise<Buffer> {
  const made = new Map<SourceName, Promise<Buffer>>();
  return (name) => {
    const known = made.get(name) ?? Promise.resolve(makers[name](bench));
    made.set(name, known);
    return known;
  };
}
