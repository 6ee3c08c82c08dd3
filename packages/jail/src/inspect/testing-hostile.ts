/** Malicious files, for the tests of code that reads files. */
import { crc32 } from 'node:zlib';

interface Maker {
  make(name: string, args: readonly string[]): Buffer;
}

export function playlist(target: string): string {
  return `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`;
}

export function svg(target: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10"><image xlink:href="${target}" width="10" height="10"/></svg>`;
}

export function png(
  width: number,
  height: number,
  depth: number,
  data: Buffer,
  more: readonly Buffer[] = [],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(depth, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    ...more,
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

export function hugeGif(): Buffer {
  const screen = Buffer.from('GIF89a\xff\xff\xff\xff\x00\x00\x00', 'latin1');
  const frame = Buffer.from('2c00000000ffffffff8000000000000002024401003b', 'hex');
  return Buffer.concat([screen, frame]);
}

export function endlessImages(bench: Maker): Buffer {
  const image = bench.make('one.jpg', ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1']);
  return Buffer.concat(Array.from({ length: 1000 }, () => image));
}

/** A Matroska file that is nothing but a list of audio tracks. */
export function manyStreams(count: number): Buffer {
  const element = (id: string, content: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length | 0x10000000);
    return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
  };
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const tracks = Array.from({ length: count }, (_, index) =>
    element(
      'ae',
      Buffer.concat([
        element('d7', number(index + 1)),
        element('73c5', number(index + 1)),
        element('83', Buffer.from([2])),
        element('86', Buffer.from('A_PCM/INT/LIT')),
      ]),
    ),
  );
  const head = element('1a45dfa3', element('4282', Buffer.from('matroska')));
  return Buffer.concat([head, element('18538067', element('1654ae6b', Buffer.concat(tracks)))]);
}

export function lyingVideo(bench: Maker): Buffer {
  const video = bench.make('lying.mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1', '-c:v', 'mpeg4']);
  const at = video.indexOf('moov', 0, 'latin1');
  video.writeUInt32BE(0x7fffffff, at + 4);
  return video;
}
