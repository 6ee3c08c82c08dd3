/** What the raw target of a download contains: its key, parameters and commands. */
import { decodePercent, Fault, isMeantAsCommand } from '@millpond/protocol';

/** Undefined if it is not UTF-8. The target is ASCII: Node lets nothing else through. */
export function percentDecoded(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text))
    throw new Fault('invalidArgument', { hint: 'a % must be followed by two hexadecimal digits' });
  return decodePercent(text);
}

export function hasParameter(query: string | undefined, name: string): boolean {
  return query?.split('&').some((parameter) => parameter.startsWith(`${name}=`)) ?? false;
}

/** One value of a raw query string; undefined if absent. */
export function queryValue(query: string | undefined, name: string): string | undefined {
  const pair = query?.split('&').find((candidate) => candidate.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const value = percentDecoded(pair.slice(name.length + 1).replaceAll('+', ' '));
  if (value === undefined) throw new Fault('invalidArgument', { hint: `${name} is not UTF-8` });
  return value;
}

/** The commands at the start of a raw query string: up to the first `&`, which a signature or a name may follow. */
export function commandsIn(query: string | undefined): string | undefined {
  const [first = ''] = query?.split('&', 1) ?? [];
  // Most queries are not commands; a broken escape in those does not matter.
  if (!/^[A-Za-z0-9]+(?:[/|%]|$)/.test(first) || /%(?![0-9A-Fa-f]{2})/.test(first)) return undefined;
  const text = decodePercent(first);
  if (text !== undefined) return isMeantAsCommand(text) ? text : undefined;
  if (!isMeantAsCommand(first.replace(/%.*$/, ''))) return undefined;
  throw new Fault('invalidArgument', { hint: 'the commands are not UTF-8' });
}
