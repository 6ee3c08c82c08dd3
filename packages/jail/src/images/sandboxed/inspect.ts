/** What an image reveals: its head, its Exif data, its average colour. Runs inside the sandbox. */
import type { Metadata } from 'sharp';
import sharp from 'sharp';
import { colorModelOf } from './color-model.ts';
import { readExif } from './exif.ts';
import type { InspectReply, InspectRequest } from './requests.ts';

/** The average is taken from an image of this size, to which the decoder shrinks while it reads. */
const SAMPLE = 64;

export async function inspectImage(image: Uint8Array, request: InspectRequest): Promise<InspectReply> {
  const metadata = await sharp(image, { limitInputPixels: request.maxPixels }).metadata();
  const exif = metadata.exif === undefined ? undefined : readExif(metadata.exif);
  return {
    imageInfo: imageInfo(metadata, image.length),
    ...(exif === undefined ? {} : { exif }),
    ...(request.average ? { imageAve: await average(image, request) } : {}),
  };
}

function imageInfo(metadata: Metadata, size: number): object {
  const format = metadata.format === 'heif' && metadata.compression === 'av1' ? 'avif' : metadata.format;
  const { width, height, space, depth, hasAlpha, isPalette, bitsPerSample, pages } = metadata;
  return {
    size,
    format,
    width,
    height,
    colorModel: colorModelOf({ format, space, depth, hasAlpha, isPalette, bitsPerSample }),
    ...(format === 'gif' ? { frameNumber: pages ?? 1 } : {}),
  };
}

/** undefined if the image is broken after its head: the head is still reported. */
async function average(image: Uint8Array, request: InspectRequest): Promise<object | undefined> {
  try {
    const { data, info } = await sharp(image, { limitInputPixels: request.maxPixels })
      .timeout({ seconds: request.seconds })
      .toColourspace('srgb')
      .ensureAlpha()
      .resize(SAMPLE, SAMPLE, { fit: 'fill', kernel: 'linear' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { RGB: `0x${averageHex(data, info.channels)}` };
  } catch {
    return undefined;
  }
}

/** Pixels are weighted by opacity; a fully transparent image is black. */
function averageHex(data: Uint8Array, channels: number): string {
  const sums = [0, 0, 0];
  let weight = 0;
  for (let at = 0; at + channels <= data.length; at += channels) {
    const alpha = data[at + 3] ?? 255;
    weight += alpha;
    for (let channel = 0; channel < 3; channel++)
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * alpha;
  }
  return sums
    .map((sum) =>
      Math.round(sum / Math.max(1, weight))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
}
