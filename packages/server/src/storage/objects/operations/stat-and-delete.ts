/** The operations on a whole object: `stat` and `delete`. In a batch, each is one statement. */
import type { ObjectEntry } from '@millpond/protocol';
import type { Objects } from '../objects.service.ts';
import type { BulkObjects } from './bulk.ts';
import type { Operation, Outcome } from './operation.ts';
import { onlyEntry } from './path.ts';

export function objectOperations(objects: Objects, many: BulkObjects): Operation[] {
  return [
    {
      name: 'stat',
      permissions: (segments) => [{ action: 'read', ...onlyEntry(segments) }],
      run: (uid, segments, cancel) => objects.stat(uid, onlyEntry(segments), cancel),
      runMany: (uid, requests, cancel) => onReadable(requests, (entries) => many.stat(uid, entries, cancel)),
    },
    {
      name: 'delete',
      permissions: (segments) => [{ action: 'delete', ...onlyEntry(segments) }],
      async run(uid, segments) {
        await objects.remove(uid, onlyEntry(segments));
        return undefined;
      },
      runMany: (uid, requests) => onReadable(requests, (entries) => many.remove(uid, entries)),
    },
  ];
}

/** Requests with an unreadable entry have already failed; the others keep their positions. */
async function onReadable(
  requests: readonly (readonly string[])[],
  run: (entries: readonly ObjectEntry[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const read = requests.map(readEntry);
  const entries = read.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const outcomes = (await run(entries)).values();
  return read.map((each) => (each.status === 'fulfilled' ? (outcomes.next().value as Outcome) : each));
}

function readEntry(segments: readonly string[]): PromiseSettledResult<ObjectEntry> {
  try {
    return { status: 'fulfilled', value: onlyEntry(segments) };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
