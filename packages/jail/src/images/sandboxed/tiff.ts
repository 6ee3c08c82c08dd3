/**
 * Reads the directories of a TIFF structure, the form of EXIF data. Pure, and strict with hostile bytes: nothing is read
 * outside the buffer, no directory twice, and the total number of entries is limited. An entry that points outside is skipped,
 * because cameras and editors write such entries; a directory that does ends there.
 */

export interface TiffEntry {
  readonly tag: number;
  /** 1 byte, 2 text, 3 short, 4 long, 5 rational, 6 to 12 the signed and floating ones, 7 anything. */
  readonly type: number;
  readonly count: number;
  /** The value's bytes, exactly. */
  readonly bytes: DataView;
  readonly littleEndian: boolean;
}

export interface TiffReader {
  readonly firstDirectory: number;
  /** The entries of the directory at this offset, and the offset of the next; undefined if it was read before. */
  directory(offset: number): { readonly entries: readonly TiffEntry[]; readonly next: number } | undefined;
}

/** More than any camera writes. */
const MAX_ENTRIES = 1000;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
const sizeOfType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** undefined: not a TIFF structure. */
export function openTiff(bytes: Uint8Array): TiffReader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < HEADER_BYTES) return undefined;
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return undefined;
  const littleEndian = order === 0x4949;
  if (view.getUint16(2, littleEndian) !== 42) return undefined;
  const seen = new Set<number>();
  let left = MAX_ENTRIES;

  function directory(offset: number): { entries: TiffEntry[]; next: number } | undefined {
    if (offset < HEADER_BYTES || offset + 2 > view.byteLength || seen.has(offset)) return undefined;
    seen.add(offset);
    const entries: TiffEntry[] = [];
    const end = offset + 2 + view.getUint16(offset, littleEndian) * ENTRY_BYTES;
    for (let at = offset + 2; at < end; at += ENTRY_BYTES) {
      if (at + ENTRY_BYTES > view.byteLength || left-- <= 0) return { entries, next: 0 };
      const entry = readEntry(view, at, littleEndian);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, next: end + 4 <= view.byteLength ? view.getUint32(end, littleEndian) : 0 };
  }

  return { firstDirectory: view.getUint32(4, littleEndian), directory };
}

function readEntry(view: DataView, at: number, littleEndian: boolean): TiffEntry | undefined {
  const tag = view.getUint16(at, littleEndian);
  const type = view.getUint16(at + 2, littleEndian);
  const count = view.getUint32(at + 4, littleEndian);
  const bytes = (sizeOfType[type] ?? 0) * count;
  const start = bytes <= 4 ? at + 8 : view.getUint32(at + 8, littleEndian);
  if (bytes === 0 || start + bytes > view.byteLength) return undefined;
  return { tag, type, count, bytes: new DataView(view.buffer, view.byteOffset + start, bytes), littleEndian };
}
