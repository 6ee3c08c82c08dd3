/** `saveas/<EncodedEntryURI>`: where the result of a command goes. It comes last in a pipe. */

import { type Entry, formatEntry, parseEntry } from '../entry.ts';
import { Fault } from '../errors/fault.ts';
import { MAX_OBJECT_DAYS } from '../limits/limits.ts';
import { encodedPattern, type NamePattern } from './name-patterns.ts';
import { invalidCommand, type ParameterTable, printParameters, readParameters } from './parameters.ts';
import { integer } from './value-forms.ts';

/** Known from the source. */
const savePatternVariables = [
  'bucket',
  'key',
  'etag',
  'fname',
  'fsize',
  'mimeType',
  'endUser',
  'ext',
  'fprefix',
  'keybase',
] as const;
/** Known from the result, and the time at which it is stored. */
const saveKeyVariables = ['etag', 'year', 'mon', 'day', 'hour', 'min', 'sec'] as const;

export type SavePatternVariable = (typeof savePatternVariables)[number];
export type SaveKeyVariable = (typeof saveKeyVariables)[number];

export interface SaveAs {
  /** Without a key and without a pattern the result gets its default key, in this bucket. */
  readonly entry: Entry;
  readonly deleteAfterDays: number | undefined;
  /** The key, built from what is known about the source; overrides the key of the entry. */
  readonly savePattern: NamePattern<SavePatternVariable> | undefined;
  /** The key, built from what is known about the result; overrides the key of the entry. */
  readonly saveKey: NamePattern<SaveKeyVariable> | undefined;
}

export const saveAsParameters = {
  deleteAfterDays: {
    value: integer(1, MAX_OBJECT_DAYS),
    meaning: 'the result is deleted after this many days',
  },
  savePattern: {
    value: encodedPattern({ variables: savePatternVariables }),
    meaning: 'key of the result, from properties of the source; overrides the key of the entry',
  },
  saveKey: {
    value: encodedPattern({ variables: saveKeyVariables }),
    meaning: 'key of the result, from properties of the result; not with savePattern',
  },
} as const satisfies ParameterTable;

export function parseSaveAs([encoded, ...pairs]: readonly string[]): SaveAs {
  if (encoded === undefined) throw invalidCommand('saveas names no entry');
  const values = readParameters('saveas', pairs, saveAsParameters);
  if (values.savePattern !== undefined && values.saveKey !== undefined)
    throw invalidCommand('saveas: savePattern and saveKey cannot be combined');
  return { entry: readEntry(encoded), ...values };
}

function readEntry(encoded: string): Entry {
  try {
    return parseEntry(encoded);
  } catch (error) {
    // The entry's own error texts belong to the API; where it has only a detail for the log, the caller gets a hint as well.
    if (error instanceof Fault && error.fault === 'invalidArgument')
      throw invalidCommand('saveas: the entry must be URL-safe Base64 of <bucket>:<key>');
    throw error;
  }
}

export function printSaveAs(saveAs: SaveAs): string {
  const { entry } = saveAs;
  const pairs = printParameters(saveAsParameters, saveAs);
  return ['saveas', formatEntry(entry.bucket, entry.key), ...pairs].join('/');
}
