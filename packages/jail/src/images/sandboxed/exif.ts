/**
 * EXIF data of an image as Qiniu answers it: `{Tag: {type, val}}`, `type` the TIFF type, `val` always text. Tags
 * of the thumbnail are named `thumbnail:<Tag>`; tags without a name are left out. Pure; no input makes it throw.
 */
import { gpsNames, imageNames, interoperabilityNames, pointers, type TagNames } from './exif-tags.ts';
import { textOfEntry } from './exif-text.ts';
import { openTiff, type TiffReader } from './tiff.ts';

export interface ExifValue {
  readonly type: number;
  readonly val: string;
}
export type Exif = Readonly<Record<string, ExifValue>>;

/** For all texts together; they go into answers and callbacks. */
const MAX_CHARACTERS = 32 * 1024;
const PREFIX = [0x45, 0x78, 0x69, 0x66, 0, 0];

/** `bytes` as in the file, with or without the leading `Exif`. undefined: nothing in it. */
export function readExif(bytes: Uint8Array): Exif | undefined {
  const prefixed = PREFIX.every((byte, index) => bytes[index] === byte);
  const tiff = openTiff(prefixed ? bytes.subarray(PREFIX.length) : bytes);
  if (tiff === undefined) return undefined;
  const found = new Map<string, ExifValue>();
  const collect = createCollector(tiff, found);
  const main = collect(tiff.firstDirectory, imageNames, '');
  const exif = collect(main.pointers.get(pointers.exif), imageNames, '');
  collect(main.pointers.get(pointers.gps), gpsNames, '');
  collect(exif.pointers.get(pointers.interoperability), interoperabilityNames, '');
  collect(main.next, imageNames, 'thumbnail:');
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

interface Collected {
  readonly pointers: ReadonlyMap<number, number>;
  readonly next: number;
}

function createCollector(
  tiff: TiffReader,
  found: Map<string, ExifValue>,
): (offset: number | undefined, names: TagNames, prefix: string) => Collected {
  const known = new Set<number>(Object.values(pointers));
  let characters = 0;
  return (offset, names, prefix) => {
    const offsets = new Map<number, number>();
    const directory = offset === undefined ? undefined : tiff.directory(offset);
    for (const entry of directory?.entries ?? []) {
      if (entry.type === 4 && known.has(entry.tag))
        offsets.set(entry.tag, entry.bytes.getUint32(0, entry.littleEndian));
      const tag = names.get(entry.tag);
      if (tag === undefined || found.has(`${prefix}${tag}`)) continue;
      const val = textOfEntry(tag, entry);
      characters += val.length;
      if (characters > MAX_CHARACTERS) break;
      found.set(`${prefix}${tag}`, { type: entry.type, val });
    }
    return { pointers: offsets, next: directory?.next ?? 0 };
  };
}
