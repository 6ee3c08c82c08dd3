/** Calls on objects, at the `rs` host. */
import { Fault, type ObjectEntry, parseObjectEntry } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, type Route, segmentsOf } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Objects } from './service.ts';

export function objectRoutes(objects: Objects, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'rs',
      methods: ['GET', 'POST'],
      path: '/stat/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        return jsonAnswer(await objects.stat(uid, onlyEntry(call), call.cancel));
      },
    },
    {
      role: 'rs',
      methods: ['POST'],
      path: '/delete/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        await objects.remove(uid, onlyEntry(call));
        return emptyAnswer();
      },
    },
  ];
}

/** The entry of a path that holds nothing else. */
function onlyEntry(call: Call): ObjectEntry {
  const [encoded, ...rest] = segmentsOf(call.target);
  if (encoded === undefined || rest.length > 0) {
    throw new Fault('invalidArgument', { hint: 'the path is /<operation>/<EncodedEntryURI>' });
  }
  return parseObjectEntry(encoded);
}
