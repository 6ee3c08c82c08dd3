/**
 * nginx-rtmp's hooks. It writes its own fields first and the publisher's arguments after them, so of two fields with one
 * name the first is the engine's: `?key=mine&name=other` names nothing.
 */
import path from 'node:path';
import { parseFields } from '@millpond/protocol';
import type { Fact, Hook, HookAdapter } from './fact.ts';

/** The recorders of the configuration: `auto` records all the time, `demand` when it is told to. */
const RECORD_TYPES: Readonly<Record<string, 1 | 2>> = { auto: 1, demand: 2 };
const NUMBER = /^\d{1,20}$/;
const REFUSED = { kind: 'refused' } as const;

export const nginxRtmp: HookAdapter = {
  factOf: nginxRtmpFact,
  statusOf: (isAccepted) => (isAccepted ? 200 : 403),
};

/** Arguments that are no text are no key: whoever sends them is refused, like any hook that can't be read. */
export function nginxRtmpFact({ boot, body }: Hook): Fact | undefined {
  const fields = parseFields(body);
  // `get` gives the first.
  const field = (name: string): string => fields.get(name) ?? '';
  const [call, client, name, address] = [field('call'), field('clientid'), field('name'), field('addr')];
  if (call === 'play') return isOwnPush(address) ? undefined : REFUSED;
  // What tells nothing is answered yes, and that must not let anybody in.
  if (!NUMBER.test(boot) || !NUMBER.test(client) || name === '')
    return call === 'publish' ? REFUSED : undefined;
  switch (call) {
    case 'publish':
      return {
        ...{ kind: 'publish', boot, client, name, address },
        proof: { key: field('key'), end: field('e'), token: field('token') },
      };
    case 'update_publish':
      return { kind: 'alive', boot, client, name, address };
    case 'publish_done':
      return { kind: 'gone', boot, client };
    case 'record_done': {
      const recordType = RECORD_TYPES[field('recorder')];
      const file = path.posix.basename(field('path'));
      return recordType === undefined || file === ''
        ? undefined
        : { kind: 'recorded', name, file, recordType };
    }
    default:
      return undefined;
  }
}

/** The engine's push plays what it passes on. Its address is where it goes to, with the application; of others it is an IP. */
function isOwnPush(address: string): boolean {
  return address.includes('/');
}
