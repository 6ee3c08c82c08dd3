/** Operations that change whether an object can be read and when it expires: `chstatus`, `deleteAfterDays`, `lifecycle`. */
import {
  type Condition,
  decodeBase64Text,
  Fault,
  MAX_OBJECT_DAYS,
  type ObjectEntry,
  parseCondition,
  parseObjectEntry,
  permissionsToOverwrite,
  type RequiredPermission,
} from '@millpond/protocol';
import type { Buckets } from '../../buckets/index.ts';
import type { ObjectRef } from './bulk-operations.store.ts';
import type { Changed, ChangesStore, Schedule } from './changes.store.ts';
import type { Operation } from './operation.ts';
import { readPairs } from './path.ts';

const LEFT_ALONE: Schedule = { toIA: 0, toArchive: 0, toDeepArchive: 0, remove: 0 };
const AGES = [
  'toIAAfterDays',
  'toArchiveIRAfterDays',
  'toArchiveAfterDays',
  'toDeepArchiveAfterDays',
  'deleteAfterDays',
] as const;
/** A hundred years: an object meant to stay needs no schedule. */

export function changeOperations(store: ChangesStore, buckets: Buckets): Operation[] {
  const change = async (
    uid: bigint,
    entry: ObjectEntry,
    apply: (place: ObjectRef) => Promise<Changed>,
  ): Promise<undefined> => {
    const { id } = await buckets.owned(uid, entry.bucket);
    const result = await apply({ bucketId: id, key: entry.key });
    if (result === 'missing') throw new Fault('noSuchEntry');
    if (result === 'conditionNotMatched') throw new Fault('conditionNotMatched');
    return undefined;
  };
  return [
    {
      name: 'chstatus',
      permissions: ([encoded = '']) => [{ action: 'write', ...parseObjectEntry(encoded) }],
      async run(uid, segments) {
        const { entry, pairs, condition } = readChange(segments, ['status']);
        const status = pairs.get('status');
        if (status !== '0' && status !== '1')
          throw invalidChange('the path must be /chstatus/<entry>/status/<0|1>');
        return change(uid, entry, (place) => store.setStatus(place, Number(status), condition));
      },
    },
    {
      name: 'deleteAfterDays',
      permissions: ([encoded = '']) => expiryPermissions(parseObjectEntry(encoded)),
      async run(uid, segments) {
        const [encoded = '', days = '', ...rest] = segments;
        if (rest.length > 0) throw invalidChange('the path must be /deleteAfterDays/<entry>/<days>');
        const entry = parseObjectEntry(encoded);
        const remove = readDays(days);
        if (remove < 0) throw invalidChange('0 cancels');
        const schedule = { ...LEFT_ALONE, remove: remove === 0 ? -1 : remove };
        return change(uid, entry, (place) => store.setSchedule(place, schedule, {}));
      },
    },
    {
      name: 'lifecycle',
      permissions(segments) {
        const { entry, pairs } = readChange(segments, AGES);
        return pairs.has('deleteAfterDays') ? expiryPermissions(entry) : [{ action: 'write', ...entry }];
      },
      async run(uid, segments) {
        const { entry, pairs, condition } = readChange(segments, AGES);
        const schedule = readSchedule(pairs);
        return change(uid, entry, (place) => store.setSchedule(place, schedule, condition));
      },
    },
  ];
}

/** To have an object deleted later is to delete it. */
function expiryPermissions({ bucket, key }: ObjectEntry): readonly RequiredPermission[] {
  return permissionsToOverwrite(bucket, key);
}

function readChange(
  [encoded = '', ...rest]: readonly string[],
  words: readonly string[],
): { entry: ObjectEntry; pairs: Map<string, string>; condition: Condition } {
  const entry = parseObjectEntry(encoded);
  const pairs = readPairs(rest, [...words, 'cond']);
  const condition = pairs.get('cond');
  return {
    entry,
    pairs,
    condition: condition === undefined ? {} : parseCondition(decodeBase64Text(condition)),
  };
}

export function readSchedule(pairs: ReadonlyMap<string, string>): Schedule {
  if (AGES.every((name) => !pairs.has(name))) throw invalidChange(`give at least one of ${AGES.join(', ')}`);
  const days = (name: (typeof AGES)[number]) => readDays(pairs.get(name) ?? '0');
  if (days('toArchiveIRAfterDays') > 0)
    throw invalidChange(
      'storage classes are 0, 1, 2 and 3: there is no archive class with instant retrieval',
    );
  return {
    toIA: days('toIAAfterDays'),
    toArchive: days('toArchiveAfterDays'),
    toDeepArchive: days('toDeepArchiveAfterDays'),
    remove: days('deleteAfterDays'),
  };
}

function readDays(text: string): number {
  const days = /^(?:-1|0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= MAX_OBJECT_DAYS)) throw invalidChange(`days must be whole numbers up to ${MAX_OBJECT_DAYS}`);
  return days;
}

function invalidChange(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
