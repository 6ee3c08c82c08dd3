/**
 * Reads the answer of an image process as strictly as anything from outside: the process has decoded hostile bytes and may be
 * compromised.
 */
import { type Fields, fieldsOf, parseJson } from '@millpond/base';
import type { Exif, ExifValue } from '../images/index.ts';

export interface ImageInfo {
  /** Bytes of the file. */
  readonly size: number;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly colorModel: string;
  /** For a gif. */
  readonly frameNumber?: number;
}

export interface ImageInspection {
  readonly imageInfo: ImageInfo;
  readonly exif?: Exif;
  readonly imageAve?: { readonly RGB: string };
}

const MAX_TAGS = 400;
const MAX_TEXT = 1024;

/** undefined: not an image that can be described. */
export function readImageAnswer(line: string, size: number): ImageInspection | undefined {
  const answer = fieldsOf(parseJson(line));
  const imageInfo = readImageInfo(fieldsOf(answer.imageInfo), size);
  if (imageInfo === undefined) return undefined;
  const exif = readExifAnswer(fieldsOf(answer.exif));
  const color = textOf(fieldsOf(answer.imageAve).RGB, /^0x[0-9a-f]{6}$/);
  return {
    imageInfo,
    ...(exif === undefined ? {} : { exif }),
    ...(color === undefined ? {} : { imageAve: { RGB: color } }),
  };
}

function readImageInfo(fields: Fields, size: number): ImageInfo | undefined {
  const format = textOf(fields.format, /^[a-z0-9]{2,8}$/);
  const colorModel = textOf(fields.colorModel, /^[a-z0-9]{2,16}$/);
  const width = countOf(fields.width);
  const height = countOf(fields.height);
  const frameNumber = countOf(fields.frameNumber);
  if (format === undefined || colorModel === undefined || width === undefined || height === undefined)
    return undefined;
  return { size, format, width, height, colorModel, ...(frameNumber === undefined ? {} : { frameNumber }) };
}

function readExifAnswer(fields: Fields): Exif | undefined {
  const values = Object.entries(fields)
    .slice(0, MAX_TAGS)
    .flatMap(([tag, value]): [string, ExifValue][] => {
      const { type, val } = fieldsOf(value);
      const kind = countOf(type);
      if (!/^(?:thumbnail:)?[A-Za-z0-9]{1,40}$/.test(tag) || kind === undefined || typeof val !== 'string')
        return [];
      return [[tag, { type: kind, val: val.slice(0, MAX_TEXT) }]];
    });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31
    ? value
    : undefined;
}
