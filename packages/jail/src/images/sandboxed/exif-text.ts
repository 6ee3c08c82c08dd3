/**
 * An EXIF value as text, in the form that Qiniu answers: `1/50 sec.`, `f/1.8`, `0.33 EV`, words for choices,
 * lists joined by a comma. Never longer than MAX_TEXT.
 */
import { exifLabel } from './exif-labels.ts';
import type { TiffEntry } from './tiff.ts';

const MAX_TEXT = 1024;
const MAX_VALUES = 64;

export function textOfEntry(name: string, entry: TiffEntry): string {
  return (special(name, entry) ?? plain(name, entry)).slice(0, MAX_TEXT);
}

function special(name: string, entry: TiffEntry): string | undefined {
  switch (name) {
    case 'ExifVersion':
      return version('Exif Version', entry);
    case 'FlashPixVersion':
      return version('FlashPix Version', entry);
    case 'InteroperabilityVersion':
      return text(entry);
    case 'UserComment':
    case 'GPSProcessingMethod':
    case 'GPSAreaInformation':
      return entry.type === 7 ? comment(entry) : undefined;
    case 'ComponentsConfiguration':
      return byteValues(entry, (value) => ['-', 'Y', 'Cb', 'Cr', 'R', 'G', 'B'][value] ?? '-', ' ');
    case 'FileSource':
    case 'SceneType':
      return exifLabel(name, entry.bytes.getUint8(0));
    case 'GPSVersionID':
      return byteValues(entry, String, '.');
    default:
      return entry.type === 5 || entry.type === 10 ? measured(name, entry) : undefined;
  }
}

/** Rationals with a unit. A denominator of 0 has no meaningful value and stays as written. */
function measured(name: string, entry: TiffEntry): string | undefined {
  const value = rational(entry, 0);
  const { numerator, denominator } = value;
  if (denominator === 0) return undefined;
  const number = numerator / denominator;
  switch (name) {
    case 'ExposureTime':
      return seconds(number);
    case 'ShutterSpeedValue':
      return `${number.toFixed(2)} EV (${seconds(2 ** -number)})`;
    case 'FNumber':
      return `f/${number.toFixed(1)}`;
    case 'ApertureValue':
    case 'MaxApertureValue':
      return `${number.toFixed(2)} EV (f/${(2 ** (number / 2)).toFixed(1)})`;
    case 'BrightnessValue':
      return `${number.toFixed(2)} EV (${(2 ** number / (Math.PI * 0.3048 ** 2)).toFixed(2)} cd/m^2)`;
    case 'ExposureBiasValue':
      return `${number.toFixed(2)} EV`;
    case 'FocalLength':
      return `${number.toFixed(1)} mm`;
    case 'SubjectDistance':
      return `${number.toFixed(1)} m`;
    case 'GPSTimeStamp':
      return entry.count === 3 ? timeStamp(entry) : undefined;
    default:
      return undefined;
  }
}

function seconds(value: number): string {
  return value > 0 && value < 1 ? `1/${(1 / value).toFixed(0)} sec.` : `${value.toFixed(0)} sec.`;
}

function timeStamp(entry: TiffEntry): string {
  const [hour = 0, minute = 0, second = 0] = [0, 1, 2].map((index) => {
    const { numerator, denominator } = rational(entry, index);
    return denominator === 0 ? 0 : numerator / denominator;
  });
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  return `${two(hour)}:${two(minute)}:${second.toFixed(2).padStart(5, '0')}`;
}

function plain(name: string, entry: TiffEntry): string {
  if (entry.type === 2) return text(entry);
  if (entry.type === 7) return `${entry.count} bytes undefined data`;
  const count = Math.min(entry.count, MAX_VALUES);
  if (entry.type === 5 || entry.type === 10)
    return Array.from({ length: count }, (_, index) => decimal(rational(entry, index))).join(', ');
  const values = Array.from({ length: count }, (_, index) => numberAt(entry, index));
  const word = values.length === 1 ? exifLabel(name, values[0] ?? 0) : undefined;
  return word ?? values.join(', ');
}

/** As many digits as the denominator has: 321341667/10000000 is 32.1341667. */
function decimal({ numerator, denominator }: Rational): string {
  if (denominator === 0) return `${numerator}/${denominator}`;
  const digits = Math.max(0, Math.floor(Math.log10(Math.abs(denominator)) + 0.92));
  return (numerator / denominator).toFixed(digits).padStart(2);
}

interface Rational {
  readonly numerator: number;
  readonly denominator: number;
}

function rational({ bytes, type, littleEndian }: TiffEntry, index: number): Rational {
  const at = index * 8;
  return type === 10
    ? { numerator: bytes.getInt32(at, littleEndian), denominator: bytes.getInt32(at + 4, littleEndian) }
    : { numerator: bytes.getUint32(at, littleEndian), denominator: bytes.getUint32(at + 4, littleEndian) };
}

function numberAt({ bytes, type, littleEndian }: TiffEntry, index: number): number {
  switch (type) {
    case 3:
      return bytes.getUint16(index * 2, littleEndian);
    case 4:
      return bytes.getUint32(index * 4, littleEndian);
    case 6:
      return bytes.getInt8(index);
    case 8:
      return bytes.getInt16(index * 2, littleEndian);
    case 9:
      return bytes.getInt32(index * 4, littleEndian);
    case 11:
      return bytes.getFloat32(index * 4, littleEndian);
    case 12:
      return bytes.getFloat64(index * 8, littleEndian);
    default:
      return bytes.getUint8(index);
  }
}

function raw({ bytes }: TiffEntry, from = 0): Uint8Array {
  const length = Math.min(bytes.byteLength - from, MAX_TEXT);
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, Math.max(0, length));
}

function text(entry: TiffEntry): string {
  return untilNull(new TextDecoder().decode(raw(entry)));
}

function untilNull(value: string): string {
  const end = value.indexOf('\0');
  return end < 0 ? value : value.slice(0, end);
}

/** Eight bytes name the encoding, the rest is the comment. */
function comment(entry: TiffEntry): string {
  const encoding = new TextDecoder('latin1').decode(raw(entry).subarray(0, 8));
  const body = entry.bytes.byteLength < 8 ? new Uint8Array() : raw(entry, 8);
  const label = encoding === 'UNICODE\0' ? (entry.littleEndian ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return untilNull(new TextDecoder(label).decode(body)).trimEnd();
}

/** Four digits: 0220 is 2.2, 0221 is 2.21, 0100 is 1.0. */
function version(label: string, entry: TiffEntry): string {
  const [, major, minor = '', patch] = /^(\d\d)(\d)(\d)$/.exec(text(entry)) ?? [];
  return major === undefined
    ? text(entry)
    : `${label} ${Number(major)}.${minor}${patch === '0' ? '' : patch}`;
}

function byteValues(entry: TiffEntry, word: (value: number) => string, between: string): string {
  return [...raw(entry).subarray(0, 4)].map(word).join(between);
}
