/** Who counts as one caller where limits go by address. */
import { isIPv6 } from 'node:net';

/** An IPv4 address itself; of an IPv6 one the upper half: whoever has one has 2^64, and could be as many callers. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  // A dotted end stands for two groups.
  const written = first.length + last.length + (plain.includes('.') ? 1 : 0);
  const all = [...first, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...last];
  const upper = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${upper.join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
