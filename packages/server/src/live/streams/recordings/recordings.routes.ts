/** Calls on the recordings and snapshots of a stream. */
import { Fault, signDownloadUrl, type WireRecord } from '@millpond/protocol';
import type { SigningKeys } from '../../../identity/accounts/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import {
  type HttpResponse,
  jsonBody,
  type RequestContext,
  type Route,
  unixSeconds,
} from '../../../platform/web/index.ts';
import {
  invalidField,
  type ResourceCall,
  type ResourceRoute,
  readNumber,
} from '../../../platform/web/resources/index.ts';
import type { Objects } from '../../../storage/objects/index.ts';
import type { StreamAddress } from '../engine-name.ts';
import { type PlaybackPart, playbackList } from '../hls-playlist.ts';
import type { SnapStore } from '../snapshots/snap.store.ts';
import type { Streams } from '../streams/streams.ts';
import type { RecordRow } from '../streams.rows.ts';
import type { RecordStore } from './recordings.store.ts';

export interface RecordRouteDeps {
  readonly streams: Streams;
  readonly records: RecordStore;
  readonly snaps: SnapStore;
  readonly objects: Objects;
  readonly keys: SigningKeys;
  /** The address of downloads, as a client that used this host can reach it. */
  readonly downloadsAt: (asked: { readonly host: string; readonly secure: boolean }) => string;
}

const MAX_LINES = 100;
/** Parts in a playback list: at the engine's usual half hour each, more than a week. */
const MAX_PARTS = 1000;
const MAX_DELETED = 1000;
const URL_SECONDS = 12 * 3600;
const MP4 = 4;

export function recordRoutes(route: ResourceRoute, deps: RecordRouteDeps): Route[] {
  const { streams, records, snaps, objects } = deps;
  const of = ({ name }: ResourceCall): StreamAddress => ({ nsId: name('ns'), streamId: name('stream') });
  const path = (rest: string) => `/namespaces/:ns/streams/:stream/${rest}`;
  const listed = async (call: ResourceCall) => {
    await streams.owned(call.uid, of(call));
    const most = readNumber(call.query, 'line', 1, MAX_LINES, MAX_LINES);
    const isNewestFirst = isDescending(call.query);
    return { range: { ...rangeOf(call.query), after: markerOf(call.query), isNewestFirst }, most };
  };
  const deleted = (rest: string, removeNamed: RecordStore['removeNamed']) =>
    route('DELETE', path(rest), async (call) => {
      await streams.owned(call.uid, of(call));
      for (const { bucket, fname } of await removeNamed(of(call), readFiles(jsonBody(call.context)))) {
        await objects.remove(call.uid, { bucket, key: fname }).catch(ignoreMissing);
      }
      return undefined;
    });

  return [
    route('GET', path('recordhistories'), async (call) => {
      const { range, most } = await listed(call);
      const url = await urlSigner(deps, call);
      const rows = await records.inRange(of(call), range, most);
      return {
        items: rows.map((row) => recordingJson(row, url)),
        marker: markerAfter(rows.at(-1)?.start_at, rows.length, most),
      };
    }),
    route('GET', path('snapshots'), async (call) => {
      const { range, most } = await listed(call);
      const url = await urlSigner(deps, call);
      const rows = await snaps.page(of(call), range, most);
      const items = rows.map(
        (row): WireRecord<'Snapshot'> => ({
          snap: url(row.bucket, row.fname),
          bucket: row.bucket,
          file: row.fname,
          time: unixSeconds(row.taken_at),
        }),
      );
      return { items, marker: markerAfter(rows.at(-1)?.taken_at, rows.length, most) };
    }),
    deleted('recordhistories', (stream, files) => records.removeNamed(stream, files)),
    deleted('snapshots', (stream, files) => snaps.removeNamed(stream, files)),
    route('GET', path('records/playback.m3u8'), (call) => playback(deps, call, of(call)), playlistAnswer),
  ];
}

async function playback(
  deps: RecordRouteDeps,
  call: ResourceCall,
  stream: StreamAddress,
): Promise<readonly PlaybackPart[]> {
  await deps.streams.owned(call.uid, stream);
  const { start, end } = rangeOf(call.query);
  if (start >= end) throw invalidField('start and end must be unix seconds, start before end');
  const rows = await deps.records.inRange(
    stream,
    { start, end, after: undefined, isNewestFirst: false },
    MAX_PARTS,
  );
  if (rows.length === 0) throw new Fault('noSuchEntry', { hint: 'nothing was recorded in that time' });
  const url = await urlSigner(deps, call);
  return rows.map((row) => ({
    url: url(row.bucket, row.fname),
    startAt: row.start_at,
    headBytes: row.head_bytes,
    seconds: (row.end_at.getTime() - row.start_at.getTime()) / 1000,
  }));
}

function playlistAnswer(parts: readonly PlaybackPart[]): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' },
    body: playbackList(parts),
  };
}

function recordingJson(
  row: RecordRow,
  url: (bucket: string, key: string) => string,
): WireRecord<'Recording'> {
  const [start, end] = [unixSeconds(row.start_at), unixSeconds(row.end_at)];
  return {
    url: url(row.bucket, row.fname),
    type: row.record_type,
    start,
    end,
    duration: Math.max(1, end - start),
    format: MP4,
    bucket: row.bucket,
    file: row.fname,
  };
}

/** Signed, so that files in a private bucket play as well. */
async function urlSigner(
  { keys, downloadsAt }: RecordRouteDeps,
  { uid, context }: { readonly uid: bigint; readonly context: RequestContext },
): Promise<(bucket: string, key: string) => string> {
  const pair = await keys.of(uid, undefined);
  const base = downloadsAt({ host: context.host, secure: context.peer.secure });
  const deadline = Math.floor(Date.now() / 1000) + URL_SECONDS;
  return (bucket, key) => {
    const url = `${base}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
    return pair === undefined ? url : signDownloadUrl(nodeHashing, pair, url, deadline);
  };
}

/** `start` and `end` in unix seconds; everything by default. */
function rangeOf(query: URLSearchParams): { start: Date; end: Date } {
  const latest = 253_402_300_799;
  return {
    start: new Date(readNumber(query, 'start', 0, latest, 0) * 1000),
    end: new Date(readNumber(query, 'end', 0, latest, latest) * 1000),
  };
}

function markerOf(query: URLSearchParams): Date | undefined {
  const marker = readNumber(query, 'marker', 0, 8.64e15, 0);
  return marker === 0 ? undefined : new Date(marker);
}

function isDescending(query: URLSearchParams): boolean {
  const order = query.get('sortBy') || 'asc';
  if (order !== 'asc' && order !== 'desc') throw invalidField('sortBy must be asc or desc');
  return order === 'desc';
}

function markerAfter(last: Date | undefined, count: number, most: number): string | undefined {
  return last === undefined || count < most ? undefined : String(last.getTime());
}

function readFiles({ files }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(files) || files.length > MAX_DELETED || files.some((file) => typeof file !== 'string'))
    throw invalidField(`files must be a list of at most ${MAX_DELETED} names`);
  return files as string[];
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Fault && (error.fault === 'noSuchEntry' || error.fault === 'noSuchBucket')))
    throw error;
}
