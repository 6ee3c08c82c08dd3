import { inflateRawSync } from 'node:zlib';

/** By the archive's list at its end, as unpackers read it. */
export function entriesOfZip(zip: Buffer): Record<string, string> {
  const entries: Record<string, string> = {};
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameLength, more] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(from, from + packed);
    entries[name] = (method === 0 ? bytes : inflateRawSync(bytes)).toString();
    at += 46 + nameLength + more + zip.readUInt16LE(at + 32);
  }
  return entries;
}
