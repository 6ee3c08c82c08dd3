/**
 * nginx-rtmp's hooks. It writes its own fields first and the publisher's arguments after them. Of two fields with the
 * same name the first is therefore the engine's: `?key=mine&name=other` does not change the name.
 */
import path from 'node:path';
import { parseFields } from '@millpond/protocol';
import type { EngineReport, Hook, HookAdapter } from './engine-report.ts';

/** The recorders in the configuration: `auto` always records, `demand` records on request. */
const RECORD_TYPES: Readonly<Record<string, 1 | 2>> = { auto: 1, demand: 2 };
const NUMBER = /^\d{1,20}$/;
const REFUSED = { kind: 'refused' } as const;

export const nginxRtmp: HookAdapter = {
  parse: nginxRtmpReport,
  toStatus: (isAccepted) => (isAccepted ? 200 : 403),
};

/** Arguments that are not text are no key: such a publisher is refused, like any hook that can't be parsed. */
export function nginxRtmpReport({ boot, body }: Hook): EngineReport | undefined {
  const fields = parseFields(body);
  // `get` returns the first.
  const field = (name: string): string => fields.get(name) ?? '';
  const [call, client, name, address] = [field('call'), field('clientid'), field('name'), field('addr')];
  if (call === 'play') return isOwnPush(address) ? undefined : REFUSED;
  // A hook without a report is answered yes, and that must not let anybody in.
  if (!NUMBER.test(boot) || !NUMBER.test(client) || name === '')
    return call === 'publish' ? REFUSED : undefined;
  switch (call) {
    case 'publish':
      return {
        kind: 'publish',
        boot,
        client,
        name,
        address,
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

/** The engine's own push plays what it relays. Its address is its target, with the application; any other client's is an IP. */
function isOwnPush(address: string): boolean {
  return address.includes('/');
}
