/**
 * The MIME type that the first bytes of a file show. Only unambiguous types are named: a wrong guess would pass or fail
 * a policy's mimeLimit, so anything unclear is undefined.
 */
import { sniffText } from './sniff-text.ts';

/** How many bytes the caller should pass; more are ignored. */
export const SNIFF_BYTES = 1024;

interface Magic {
  readonly type: string;
  readonly at?: number;
  readonly bytes: string;
  /** A second mark that must also be present. */
  readonly also?: { readonly at: number; readonly bytes: string };
}

/** Bytes are written as Latin-1 text. */
const MAGIC: readonly Magic[] = [
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'RIFF', also: { at: 8, bytes: 'WEBP' } },
  { type: 'audio/wav', bytes: 'RIFF', also: { at: 8, bytes: 'WAVE' } },
  { type: 'audio/wav', bytes: 'RF64', also: { at: 8, bytes: 'WAVE' } },
  { type: 'video/x-msvideo', bytes: 'RIFF', also: { at: 8, bytes: 'AVI ' } },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'image/tiff', bytes: 'II+\0' },
  { type: 'image/tiff', bytes: 'MM\0+' },
  { type: 'image/bmp', bytes: 'BM', also: { at: 6, bytes: '\0\0\0\0' } },
  { type: 'image/x-icon', bytes: '\0\0\x01\0', also: { at: 5, bytes: '\0' } },
  { type: 'image/x-icon', bytes: '\0\0\x02\0', also: { at: 5, bytes: '\0' } },
  { type: 'image/vnd.adobe.photoshop', bytes: '8BPS\0' },
  { type: 'image/jp2', bytes: '\0\0\0\x0cjP  \r\n\x87\n' },
  { type: 'image/jxl', bytes: '\0\0\0\x0cJXL \r\n\x87\n' },
  { type: 'image/jxl', bytes: '\xff\x0a' },
  { type: 'video/x-flv', bytes: 'FLV\x01' },
  { type: 'video/mpeg', bytes: '\0\0\x01\xba' },
  { type: 'video/mpeg', bytes: '\0\0\x01\xb3' },
  { type: 'video/x-ms-asf', bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11' },
  { type: 'audio/mpeg', bytes: 'ID3\x02' },
  { type: 'audio/mpeg', bytes: 'ID3\x03' },
  { type: 'audio/mpeg', bytes: 'ID3\x04' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/amr', bytes: '#!AMR' },
  { type: 'audio/aac', bytes: 'ADIF' },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'audio/aiff', bytes: 'FORM', also: { at: 8, bytes: 'AIFF' } },
  { type: 'audio/aiff', bytes: 'FORM', also: { at: 8, bytes: 'AIFC' } },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/postscript', bytes: '%!PS' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { type: 'application/x-bzip2', bytes: 'BZh', also: { at: 4, bytes: '1AY&SY' } },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-7z-compressed', bytes: "7z\xbc\xaf'\x1c" },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/x-tar', at: 257, bytes: 'ustar' },
  { type: 'application/vnd.debian.binary-package', bytes: '!<arch>\ndebian' },
  { type: 'application/x-shockwave-flash', bytes: 'FWS', also: { at: 7, bytes: '\0' } },
  { type: 'application/x-shockwave-flash', bytes: 'CWS', also: { at: 7, bytes: '\0' } },
  { type: 'application/x-shockwave-flash', bytes: 'ZWS', also: { at: 7, bytes: '\0' } },
  { type: 'application/wasm', bytes: '\0asm\x01\0\0\0' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
  { type: 'application/x-msdownload', bytes: 'MZ', also: { at: 3, bytes: '\0' } },
  { type: 'application/x-executable', bytes: '\x7fELF' },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/otf', bytes: 'OTTO\0' },
  { type: 'font/ttf', bytes: '\0\x01\0\0\0' },
  { type: 'model/gltf-binary', bytes: 'glTF\x02\0\0\0' },
];

export function sniffMimeType(content: Uint8Array): string | undefined {
  const bytes = content.subarray(0, SNIFF_BYTES);
  if (bytes.length === 0) return undefined;
  for (const magic of MAGIC) {
    if (!hasBytes(bytes, magic.at ?? 0, magic.bytes)) continue;
    if (magic.also !== undefined && !hasBytes(bytes, magic.also.at, magic.also.bytes)) continue;
    return magic.type;
  }
  return (
    sniffContainer(bytes) ??
    sniffAudioFrames(bytes) ??
    sniffText(bytes, content.length < SNIFF_BYTES) ??
    sniffWeakly(bytes)
  );
}

function sniffContainer(bytes: Uint8Array): string | undefined {
  if (hasBytes(bytes, 4, 'ftyp')) return mediaBrands[latin1(bytes, 8, 12)] ?? 'video/mp4';
  if (hasBytes(bytes, 0, '\x1aE\xdf\xa3')) {
    return latin1(bytes, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
  }
  // Transport streams have no header, only a sync byte in front of every packet of 188.
  if (hasSync(bytes, 0, 188)) return 'video/mp2t';
  if (hasBytes(bytes, 0, 'OggS')) {
    const head = latin1(bytes, 28, 40);
    if (head.includes('theora')) return 'video/ogg';
    return head.startsWith('OpusHead') ? 'audio/opus' : 'audio/ogg';
  }
  if (hasBytes(bytes, 0, 'PK\x05\x06')) return 'application/zip';
  if (hasBytes(bytes, 0, 'PK\x03\x04')) return sniffZip(bytes);
  return undefined;
}

/** Marks that may also occur in a text: only for content that is not text. */
function sniffWeakly(bytes: Uint8Array): string | undefined {
  // Early QuickTime videos begin with whatever box comes first.
  if (QUICKTIME_BOXES.has(latin1(bytes, 4, 8))) return 'video/quicktime';
  // Cameras write 4 bytes before each packet of a transport stream.
  return hasSync(bytes, 4, 192) ? 'video/mp2t' : undefined;
}

const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

function hasSync(bytes: Uint8Array, first: number, packet: number): boolean {
  return [0, 1, 2].every((nth) => hasBytes(bytes, first + nth * packet, 'G'));
}

const mediaBrands: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  'qt  ': 'video/quicktime',
  '3gp4': 'video/3gpp',
  '3gp5': 'video/3gpp',
  '3gp6': 'video/3gpp',
  '3g2a': 'video/3gpp2',
};

/** EPUB and OpenDocument store their type uncompressed as the first entry; the others show their first name. */
function sniffZip(bytes: Uint8Array): string {
  const head = latin1(bytes, 30, 130);
  if (head.startsWith('mimetype')) {
    const type = /^mimetype(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z]{1,20}))(?=PK|$)/.exec(
      head,
    );
    return type?.[1] ?? 'application/zip';
  }
  if (head.startsWith('word/')) return officeType('wordprocessingml.document');
  if (head.startsWith('xl/')) return officeType('spreadsheetml.sheet');
  if (head.startsWith('ppt/')) return officeType('presentationml.presentation');
  return 'application/zip';
}

function officeType(kind: string): string {
  return `application/vnd.openxmlformats-officedocument.${kind}`;
}

/** Without an ID3 tag, MP3 and AAC start with a frame header: twelve sync bits, then the layer. */
function sniffAudioFrames(bytes: Uint8Array): string | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || bytes.length < 4) return undefined;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  const plausible = (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c;
  return (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08 && plausible ? 'audio/mpeg' : undefined;
}

function hasBytes(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
