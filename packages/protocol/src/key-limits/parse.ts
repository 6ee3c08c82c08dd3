/**
 * Reads the limits of a key from JSON. Strict: a limit that is not understood must not be taken for none, nor may limits that name
 * nothing. What allows everything is not said by leaving something out.
 */
import { Fault } from '../errors/fault.ts';
import { MAX_KEY_BYTES } from '../limits/limits.ts';
import { isBucketName } from '../names.ts';
import { utf8Length } from '../utf8.ts';
import { type KeyAction, type KeyLimits, keyActions } from './key-limits.ts';
import { networkProblem } from './networks.ts';

/** Maximum entries per list. */
export const MAX_LIMIT_VALUES = 50;
/** The year 9999: dates beyond it have no common form. */
const LAST_SECOND = 253_402_300_799;

/** What is wrong with one value of a list. */
const faultsOf: Readonly<Record<'buckets' | 'prefixes' | 'actions' | 'networks', FaultOf>> = {
  buckets: (name) => (isBucketName(name) ? undefined : `${JSON.stringify(name)} is not a bucket's name`),
  prefixes: prefixFault,
  actions: (action) =>
    keyActions.includes(action as KeyAction)
      ? undefined
      : `${JSON.stringify(action)} is not one of ${keyActions.join(', ')}`,
  networks: networkProblem,
};
type FaultOf = (value: string) => string | undefined;

export function parseKeyLimits(value: unknown): KeyLimits {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidLimits('they must be a JSON object such as {"buckets":["photos"],"actions":["read"]}');
  const limits: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    if (name === 'expiresAt') limits[name] = checkedEnd(given);
    else if (Object.hasOwn(faultsOf, name)) limits[name] = checkedList(name as keyof typeof faultsOf, given);
    else throw invalidLimits(`there is no limit ${JSON.stringify(name)}`);
  }
  if (Object.keys(limits).length === 0)
    throw invalidLimits('they name no limit; a list that is empty allows nothing');
  return limits as KeyLimits;
}

/** An empty list allows nothing. */
function checkedList(name: keyof typeof faultsOf, given: unknown): readonly string[] {
  const isList = Array.isArray(given) && given.every((each) => typeof each === 'string');
  if (!isList || given.length > MAX_LIMIT_VALUES)
    throw invalidLimits(
      `${name} must be a list of at most ${MAX_LIMIT_VALUES} texts; leave it out for no limit`,
    );
  for (const each of given) {
    const fault = faultsOf[name](each);
    if (fault !== undefined) throw invalidLimits(`${name}: ${fault}`);
  }
  return [...new Set(given)];
}

function checkedEnd(given: unknown): number {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || given > LAST_SECOND)
    throw invalidLimits('expiresAt must be a time in Unix seconds');
  // JSON has a minus zero, which would be another one when it is read again.
  return Math.abs(given);
}

function prefixFault(prefix: string): string | undefined {
  if (prefix === '') return 'the empty prefix limits nothing: leave it out';
  if (!prefix.isWellFormed() || prefix.includes('\0')) return 'a prefix must be UTF-8 without NUL';
  return utf8Length(prefix) > MAX_KEY_BYTES ? `a prefix has at most ${MAX_KEY_BYTES} bytes` : undefined;
}

function invalidLimits(hint: string): Fault {
  return new Fault('badRequest', { hint: `limits of the key: ${hint}` });
}
