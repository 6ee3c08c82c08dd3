/** Which of the channels that are wanted get one of the sessions there are. */
import { openLog } from '@millpond/base';
import { ClientTransactions } from '@millpond/camera-wire';
import type { MediaEngine } from '@millpond/jail';
import { freePorts } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { Feeds } from '../../streams/index.ts';
import { Registrations } from '../registrations.ts';
import type { MediaRequestRow, MediaStore, SavedMediaState } from './device-media.store.ts';
import { MediaSessions } from './media-sessions.ts';

const MAX_SESSIONS = 4;
/** Two for each session, and some that begin before others have ended. */
const PORTS = 20;

/** A port's media, where what is wanted is what the test says, and devices don't answer. */
async function opened() {
  const registrations = new Registrations(60_000);
  const wanted: MediaRequestRow[] = [];
  const told = new Map<string, SavedMediaState>();
  const store: Pick<MediaStore, 'requests' | 'saveStates' | 'transaction' | 'forget'> = {
    requests: async () => [...wanted],
    transaction: async (work) => work({} as Parameters<typeof work>[0]),
    saveStates: async (_on, states) => {
      for (const each of states) told.set(each.channel, each);
    },
    forget: async () => undefined,
  };
  const feeds: Pick<Feeds, 'open'> = { open: async () => ({ url: '', close: async () => undefined }) };
  const lease: Partial<Lease> = {
    name: 'sip',
    signal: new AbortController().signal,
    hold: async () => undefined,
  };
  const first = await freePorts(PORTS);
  const sessions = new MediaSessions(
    {
      mediaStore: store as MediaStore,
      feeds: feeds as Feeds,
      media: async () => ({}) as MediaEngine,
      registrations,
      transactions: new ClientTransactions(),
      log: openLog('silent'),
    },
    {
      ports: { first, last: first + PORTS - 1 },
      maxSessions: MAX_SESSIONS,
      isTranscoding: false,
      silenceMs: 10_000,
      address: '127.0.0.1',
      mediaHost: '127.0.0.1',
      host: '127.0.0.1:5060',
      transport: 'udp',
      serverId: '34020000002000000001',
      realm: '3402000000',
    },
    lease as Lease,
  );
  onTestFinished(() => sessions.close());
  const want = (uid: bigint, count: number) => {
    for (let each = 0; each < count; each++) {
      const id = BigInt(wanted.length + 1);
      const peer = { transport: 'udp', address: '127.0.0.1', port: 5060, send: () => undefined } as const;
      registrations.set({
        deviceId: id,
        gbid: `${id}`,
        peer,
        expiresAt: 1e12,
        seenAt: 0,
        askAt: undefined,
        asked: 0,
        listedAt: 0,
      });
      wanted.push({
        device_id: id,
        channel: `${uid}/${each}`,
        is_wanted: true,
        wanted_at: new Date(),
        dialog: null,
        tenant: uid,
        ns_id: 'n',
        gbid: `${id}`,
        target: `${id}`,
        is_disabled: false,
      });
    }
  };
  const begun = (uid: bigint) =>
    [...told.values()].filter(({ channel, state }) => state === 'inviting' && channel.startsWith(`${uid}/`));
  return { sessions, wanted, told, want, begun };
}

test('one account may have all sessions, until another wants some: then the next that are free are the other’s', async () => {
  const { sessions, wanted, told, want, begun } = await opened();
  want(1n, 6);
  await sessions.tick();
  expect(begun(1n)).toHaveLength(MAX_SESSIONS);
  expect(told.get('1/5')).toMatchObject({
    state: 'waiting',
    reason: `all ${MAX_SESSIONS} media sessions are in use`,
  });
  want(2n, 1);
  await sessions.tick();
  // Nobody loses what they have.
  expect([begun(1n).length, begun(2n).length]).toEqual([MAX_SESSIONS, 0]);
  // One of the first account's ends, and its others were there before the second's.
  const given = wanted[0];
  if (given !== undefined) wanted[0] = { ...given, is_disabled: true };
  await expect
    .poll(async () => {
      await sessions.tick();
      return told.get('1/0')?.state;
    })
    .not.toBe('inviting');
  await sessions.tick();
  expect([begun(1n).length, begun(2n).length]).toEqual([MAX_SESSIONS - 1, 1]);
});
