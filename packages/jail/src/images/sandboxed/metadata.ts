/**
 * An image's own metadata in its result: all of it but the place of recording, which phones write into every picture. Runs inside
 * the sandbox.
 */
import { crc32 } from 'node:zlib';
import type { Metadata, Sharp } from 'sharp';
import { pointers } from './exif-tags.ts';
import { openTiff } from './tiff.ts';

/** How to keep them. Call it before the image is decoded: places in Exif are erased in its own bytes. */
export function metadataKeeper(image: Uint8Array, metadata: Metadata): (pipeline: Sharp) => Sharp {
  const xmp = metadata.xmp?.toString('utf8');
  const isClean = metadata.exif === undefined || erasePlace(image, metadata.exif);
  return (pipeline) => {
    // What could not be erased, in a block that is packed for instance, is left out whole.
    const kept = isClean ? pipeline.keepMetadata() : pipeline.keepIccProfile();
    if (xmp === undefined) return kept;
    return /GPS/i.test(xmp) ? kept.withXmp(withoutPlace(xmp)) : kept.keepXmp();
  };
}

/** Attributes and elements of the position; blanks take their place. */
function withoutPlace(xmp: string): string {
  return xmp
    .replaceAll(/\s[A-Za-z]{1,20}:GPS[A-Za-z]{1,40}\s*=\s*(?:"[^"]*"|'[^']*')/g, ' ')
    .replaceAll(/<([A-Za-z]{1,20}:GPS[A-Za-z]{1,40})\b[^>]*(?:\/>|>[\s\S]*?<\/\1\s*>)/g, '');
}

/** Erases the position from the bytes of an image. False if they are not found in them. */
function erasePlace(image: Uint8Array, exif: Uint8Array): boolean {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const prefixed = Buffer.from(exif.subarray(0, 6)).toString('latin1') === 'Exif\0\0';
  const block = prefixed ? exif.subarray(6) : exif;
  const at = block.length === 0 ? -1 : bytes.indexOf(block);
  if (at < 0) return false;
  const tiff = openTiff(bytes.subarray(at, at + block.length));
  if (tiff === undefined) return false;
  const main = tiff.directory(tiff.firstDirectory);
  for (const { tag, type, bytes: value, littleEndian } of main?.entries ?? []) {
    if (tag !== pointers.gps || type !== 4) continue;
    const offset = value.getUint32(0, littleEndian);
    const places = tiff.directory(offset)?.entries ?? [];
    for (const place of places) blank(place.bytes);
    // A directory of no entries.
    if (places.length > 0) bytes.fill(0, at + offset, at + offset + 2 + places.length * 12);
  }
  mendChecksum(bytes, at, block.length);
  return true;
}

function blank(value: DataView): void {
  new Uint8Array(value.buffer, value.byteOffset, value.byteLength).fill(0);
}

/** Chunks of a png end in a checksum; readers drop those that do not agree. */
function mendChecksum(bytes: Buffer, at: number, length: number): void {
  if (bytes.toString('latin1', Math.max(0, at - 4), at) !== 'eXIf') return;
  const end = at + length;
  if (end + 4 <= bytes.length) bytes.writeUInt32BE(crc32(bytes.subarray(at - 4, end)), end);
}
