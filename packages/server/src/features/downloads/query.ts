/** Percent-decoding of the raw target: escapes are bytes, and only together they are text. */
import { beginsWithCommand, decodeUtf8, Fault } from '@millpond/protocol';

/** The target is ASCII: Node lets nothing else through. */
export function percentDecoded(text: string): Buffer {
  if (/%(?![0-9A-Fa-f]{2})/.test(text))
    throw new Fault('invalidArgument', { hint: 'a % that two hexadecimal digits do not follow' });
  const bytes = text.replace(/%(..)/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

/** One value of a raw query string; undefined when it is not there. */
export function queryValue(query: string | undefined, name: string): string | undefined {
  const pair = query?.split('&').find((candidate) => candidate.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const value = decodeUtf8(percentDecoded(pair.slice(name.length + 1).replaceAll('+', ' ')));
  if (value === undefined) throw new Fault('invalidArgument', { hint: `${name} is not UTF-8` });
  return value;
}

/** The commands that a raw query string begins with: up to the first `&`, where a signature or a name may follow. */
export function commandsIn(query: string | undefined): string | undefined {
  const [first = ''] = query?.split('&', 1) ?? [];
  // Most queries are none; a broken escape in one of those is nobody's business.
  if (!/^[A-Za-z0-9]+(?:[/|%]|$)/.test(first) || /%(?![0-9A-Fa-f]{2})/.test(first)) return undefined;
  const text = decodeUtf8(percentDecoded(first));
  return text !== undefined && beginsWithCommand(text) ? text : undefined;
}
