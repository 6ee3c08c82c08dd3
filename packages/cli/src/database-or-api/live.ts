/** Live as `millpond live` shows it: for an operator from the database, for a user from the API. */
import type { Client } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import { UsageError } from '../exit.ts';
import type { Row } from '../print.ts';
import { firstOf, type Sources } from './source.ts';

export interface LiveSource {
  namespaces(account: string | undefined, limit: number): Promise<Row[]>;
  streams(namespace: string, isOnlineOnly: boolean, limit: number): Promise<Row[]>;
  stop(namespace: string, stream: string): Promise<void>;
  records(namespace: string, stream: string, limit: number): Promise<Row[]>;
}

const NEWEST = { offset: 0, isDescending: true, by: 'createdAt' } as const;
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');

export const liveSources: Sources<LiveSource> = { operator: allLive, user: ownLive };

function allLive({ accounts, live: { namespaces, streams, records } }: OperatorTools): LiveSource {
  const ownerOf = async (nsId: string) => (await namespaces.owned(undefined, nsId)).uid;
  return {
    async namespaces(account, limit) {
      if (account === undefined) throw new UsageError('give --account, or --at to use an access key');
      const { uid } = await accounts.byEmail(account);
      const { rows } = await namespaces.page(uid, { ...NEWEST, line: limit }, '');
      return rows.map((row) => ({
        id: row.ns_id,
        name: row.name,
        type: row.access_type,
        callback: row.callback,
        disabled: row.is_disabled,
      }));
    },
    async streams(nsId, isOnlineOnly, limit) {
      const query = { ...NEWEST, line: limit };
      const state = isOnlineOnly ? 'online' : 'all';
      const { rows } = await streams.page(await ownerOf(nsId), nsId, query, state, '');
      return rows.map((row) => ({
        stream: row.stream_id,
        online: row.is_online,
        starting: row.is_online && row.playable_at === null,
        disabled: row.is_disabled,
        pushed: row.last_pushed_at,
      }));
    },
    stop: async (nsId, streamId) => streams.kick(await ownerOf(nsId), { nsId, streamId }),
    async records(nsId, streamId, limit) {
      await streams.owned(await ownerOf(nsId), { nsId, streamId });
      const range = { start: BEGINNING, end: END, after: undefined, isNewestFirst: false };
      const rows = await records.inRange({ nsId, streamId }, range, limit);
      return rows.map((row) => ({
        start: row.start_at,
        end: row.end_at,
        type: row.record_type,
        file: row.fname,
      }));
    },
  };
}

function ownLive({ live }: Client, signal: AbortSignal): LiveSource {
  const time = (seconds: number) => (seconds === 0 ? null : new Date(seconds * 1000));
  return {
    async namespaces(_account, limit) {
      const found = await firstOf(live.namespaces({ signal }), limit);
      return found.map(({ id, name, accessType, callback, disabled }) => ({
        id,
        name,
        type: accessType,
        callback,
        disabled,
      }));
    },
    async streams(nsId, isOnlineOnly, limit) {
      const filter = { signal, ...(isOnlineOnly ? { state: 'online' as const } : {}) };
      const found = await firstOf(live.streams(nsId).list(filter), limit);
      return found.map(({ streamId, status, starting, disabled, lastPushedAt }) => ({
        stream: streamId,
        online: status,
        starting,
        disabled,
        pushed: time(lastPushedAt),
      }));
    },
    stop: (nsId, streamId) => live.streams(nsId).stop(streamId, { signal }),
    async records(nsId, streamId, limit) {
      const found = await firstOf(live.streams(nsId).recordings(streamId, { signal }), limit);
      return found.map(({ start, end, type, file }) => ({ start: time(start), end: time(end), type, file }));
    },
  };
}
