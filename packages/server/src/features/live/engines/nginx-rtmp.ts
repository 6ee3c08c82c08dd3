/**
 * nginx-rtmp's hooks. It writes its own fields first and the publisher's arguments after them, so of two fields with one
 * name the first is the engine's: `?key=mine&name=other` names nothing.
 */
import path from 'node:path';
import type { Fact, Hook, HookAdapter } from './fact.ts';

/** The recorders of the configuration: `auto` records all the time, `demand` when it is told to. */
const RECORD_TYPES: Readonly<Record<string, 1 | 2>> = { auto: 1, demand: 2 };
const NUMBER = /^\d{1,20}$/;

export const nginxRtmp: HookAdapter = {
  factOf: nginxRtmpFact,
  answerOf: (isAccepted) => ({ status: isAccepted ? 200 : 403, body: undefined }),
};

export function nginxRtmpFact({ boot, body }: Pick<Hook, 'boot' | 'body'>): Fact | undefined {
  const fields = new URLSearchParams(body.toString('latin1'));
  // `get` gives the first.
  const field = (name: string): string => fields.get(name) ?? '';
  const [client, name, address] = [field('clientid'), field('name'), field('addr')];
  if (!NUMBER.test(boot) || !NUMBER.test(client) || name === '') return undefined;
  switch (field('call')) {
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
