/**
 * Networks in CIDR form, IPv4 and IPv6, and which addresses lie in them. An IPv4 address inside an IPv6 one (`::ffff:…`) is that
 * IPv4 address: sockets that take both kinds write it so.
 */

/** Whether the address lies in the network; false if either can't be read. */
export function isInNetwork(address: string, network: string): boolean {
  const [bytes, range] = [parseAddress(address), parseNetwork(network)];
  if (bytes === undefined || range === undefined || bytes.length !== range.bytes.length) return false;
  return bytes.every((byte, at) => (byte & maskAt(range.bits, at)) === range.bytes[at]);
}

/** What is wrong with a network, for people; undefined if nothing is. */
export function networkProblem(network: string): string | undefined {
  return parseNetwork(network) === undefined
    ? `${JSON.stringify(network)} is not a network such as 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32, with zeros after its length`
    : undefined;
}

interface Network {
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** A longer text is no address, whatever it holds. */
const MAX_CHARACTERS = 50;

/** An address alone is the network of that address. */
function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const bytes = address.includes('%') ? undefined : parseAddress(address);
  if (bytes === undefined || rest.length > 0) return undefined;
  // As IPv6 it would be 96 bits longer than the IPv4 network that it means.
  if (bytes.length === 4 && address.includes(':')) return undefined;
  const most = bytes.length * 8;
  if (length === undefined) return { bytes, bits: most };
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || Number(length) > most) return undefined;
  const bits = Number(length);
  return bytes.every((byte, at) => (byte & maskAt(bits, at)) === byte) ? { bytes, bits } : undefined;
}

/** 4 bytes, or 16. */
function parseAddress(text: string): readonly number[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const [plain = ''] = text.split('%');
  if (!plain.includes(':')) return parseIpv4(plain);
  const bytes = parseIpv6(plain);
  const isMapped = bytes?.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes?.slice(12) : bytes;
}

function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  const isWritten = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  const bytes = parts.map(Number);
  return isWritten && bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [head = '', tail, ...rest] = text.split('::');
  if (rest.length > 0) return undefined;
  const [before, after] = [groupBytes(head, tail === undefined), groupBytes(tail ?? '', true)];
  if (before === undefined || after === undefined) return undefined;
  const missing = 16 - before.length - after.length;
  if (tail === undefined) return missing === 0 ? before : undefined;
  // The gap stands for at least one group.
  return missing >= 2 ? [...before, ...Array<number>(missing).fill(0), ...after] : undefined;
}

/** The last group of an address may be an IPv4 address. */
function groupBytes(text: string, isLast: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [at, group] of groups.entries()) {
    const ipv4 = isLast && at === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined;
    if (ipv4 !== undefined) bytes.push(...ipv4);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

/** The bits of the byte at this place that belong to a network of this length. */
function maskAt(bits: number, at: number): number {
  const own = Math.min(8, Math.max(0, bits - at * 8));
  return (255 << (8 - own)) & 255;
}
