/**
 * The condition of a metadata change, `hash=…&mime=…&fsize=…&putTime=…`. It is not form text: nothing in it is percent-
 * or plus-decoded, or `mime=image/svg+xml` could never match.
 */
import { Fault } from './errors/fault.ts';
import { parseDecimal } from './put-time.ts';

export interface Condition {
  readonly hash?: string;
  readonly mime?: string;
  readonly fsize?: bigint;
  /** In units of 100 ns; more than a number can hold. */
  readonly putTime?: bigint;
}

export function parseCondition(text: string): Condition {
  const condition: { -readonly [Name in keyof Condition]: Condition[Name] } = {};
  // There are four names, so the fifth pair is always a fault and what follows it does not matter.
  for (const pair of text.split('&', 5)) {
    const equals = pair.indexOf('=');
    if (equals < 0) throw invalidCondition('cond must have the form name=value');
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    if (Object.hasOwn(condition, name)) throw invalidCondition('cond names a field twice');
    switch (name) {
      case 'hash':
      case 'mime':
        condition[name] = value;
        break;
      case 'fsize':
      case 'putTime':
        condition[name] = decimal(value);
        break;
      default:
        throw invalidCondition('cond may only contain hash, mime, fsize and putTime');
    }
  }
  return condition;
}

export function formatCondition(condition: Condition): string {
  const pairs: string[] = [];
  for (const name of ['hash', 'mime', 'fsize', 'putTime'] as const) {
    const value = condition[name];
    if (value === undefined) continue;
    if (String(value).includes('&')) throw invalidCondition('a value in cond must not contain &');
    pairs.push(`${name}=${value}`);
  }
  return pairs.join('&');
}

function decimal(text: string): bigint {
  const value = parseDecimal(text);
  if (value === undefined) throw invalidCondition('fsize and putTime in cond must be decimal numbers');
  return value;
}

function invalidCondition(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
