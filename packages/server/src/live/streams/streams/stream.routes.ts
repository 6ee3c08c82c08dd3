/** Calls on streams. */
import { Fault } from '@millpond/protocol';
import { jsonBody, type Route } from '../../../platform/web/index.ts';
import {
  invalidField,
  parseCreate,
  parsePatch,
  type ResourceCall,
  type ResourceRoute,
  readListQuery,
  readNumber,
} from '../../../platform/web/resources/index.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import type { RecordStore } from '../recordings/recordings.store.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { IngestStats } from './ingest.ts';
import type { StreamFilter } from './stream.store.ts';
import { publisherJson, readStreamId, streamFields, streamJson } from './stream-fields.ts';
import { type StreamUrls, urlsOf } from './stream-urls.ts';
import type { Streams } from './streams.ts';

export interface StreamRouteDeps {
  readonly namespaces: Namespaces;
  readonly streams: Streams;
  readonly records: RecordStore;
  readonly snapshots: Snapshots;
  readonly ingests: IngestStats;
  /** Undefined if there is no engine: nothing would listen there. */
  readonly urls: StreamUrls | undefined;
}

/** `qtype`. */
const FILTERS: readonly StreamFilter[] = ['all', 'online', 'offline'];
const DEFAULT_URL_SECONDS = 3600;
const MAX_URL_SECONDS = 366 * 86_400;
const MAX_HISTORIES = 1000;

export function streamRoutes(route: ResourceRoute, deps: StreamRouteDeps): Route[] {
  const { namespaces, streams, snapshots, ingests, urls } = deps;
  const address = ({ name }: ResourceCall): StreamAddress => ({ nsId: name('ns'), streamId: name('stream') });
  const done = (path: string, act: (uid: bigint, stream: StreamAddress) => Promise<void>) =>
    route('POST', `/namespaces/:ns/streams/:stream/${path}`, async (call) => {
      await act(call.uid, address(call));
      return undefined;
    });
  const shown = async (uid: bigint, row: Parameters<typeof streamJson>[0]) =>
    streamJson(row, (await namespaces.owned(uid, row.ns_id)).name);

  return [
    route('POST', '/namespaces/:ns/streams', async ({ uid, name, context }) => {
      const body = jsonBody(context);
      const stream = { nsId: name('ns'), streamId: readStreamId(body.streamId) };
      return shown(uid, await streams.create(uid, stream, parseCreate(streamFields, body)));
    }),
    route('GET', '/namespaces/:ns/streams', async ({ uid, name, query }) => {
      const namespace = await namespaces.owned(uid, name('ns'));
      const filter = FILTERS[readNumber(query, 'qtype', 0, 2, 0)] ?? 'all';
      const prefix = query.get('prefix') ?? '';
      const { rows, total } = await streams.page(uid, name('ns'), readListQuery(query), filter, prefix);
      return { items: rows.map((row) => streamJson(row, namespace.name)), total };
    }),
    route('GET', '/namespaces/:ns/streams/:stream', async (call) => {
      const row = await streams.owned(call.uid, address(call));
      return { ...(await shown(call.uid, row)), key: streams.keyOf(row) };
    }),
    route('PATCH', '/namespaces/:ns/streams/:stream', async (call) => {
      const change = parsePatch(streamFields, jsonBody(call.context));
      return shown(call.uid, await streams.change(call.uid, address(call), change));
    }),
    route('DELETE', '/namespaces/:ns/streams/:stream', async (call) => {
      await streams.remove(call.uid, address(call));
      return undefined;
    }),
    done('enabled', (uid, stream) => streams.setDisabled(uid, stream, false)),
    done('disabled', (uid, stream) => streams.setDisabled(uid, stream, true)),
    done('stop', (uid, stream) => streams.kick(uid, stream)),
    route('POST', '/namespaces/:ns/streams/:stream/key', async (call) => ({
      key: streams.keyOf(await streams.changeKey(call.uid, address(call))),
    })),
    route('POST', '/namespaces/:ns/streams/:stream/urls', async (call) => {
      const row = await streams.owned(call.uid, address(call));
      const namespace = await namespaces.owned(call.uid, row.ns_id);
      const seconds = urlSeconds(call.context.body.length === 0 ? {} : jsonBody(call.context));
      if (urls === undefined)
        throw new Fault('noLiveEngine', { hint: 'live is off here: MILLPOND_LIVE_ENGINES names no engine' });
      return urlsOf(urls, call.context, {
        stream: address(call),
        key: streams.keyOf(row),
        urlType: namespace.url_type,
        end: Math.floor(Date.now() / 1000) + seconds,
      });
    }),
    route('GET', '/namespaces/:ns/streams/:stream/pubhistories', async (call) => {
      const most = readNumber(call.query, 'line', 1, MAX_HISTORIES, 100);
      const rows = await streams.publishHistories(call.uid, address(call), most);
      return { items: rows.map(publisherJson) };
    }),
    route('GET', '/namespaces/:ns/streams/:stream/figures', async (call) => {
      await streams.owned(call.uid, address(call));
      const engine = await streams.engineOf(address(call));
      return ingests.get(address(call), engine?.id);
    }),
    route('POST', '/namespaces/:ns/streams/:stream/snap', async (call) => {
      await streams.owned(call.uid, address(call));
      const engine = await streams.engineOf(address(call));
      return { fname: await snapshots.demand(address(call), engine) };
    }),
    done('record/start', async (uid, stream) => {
      await streams.owned(uid, stream);
      if ((await deps.records.templateOf(stream)) === undefined)
        throw new Fault('notAllowed', { hint: 'the stream has no template for recordings' });
      const engine = await streams.engineOf(stream);
      if (!(await engine?.client.startRecord(engineName(stream)))) throw new Fault('streamOffline');
    }),
    done('record/stop', async (uid, stream) => {
      await streams.owned(uid, stream);
      const engine = await streams.engineOf(stream);
      if (!(await engine?.client.stopRecord(engineName(stream)))) throw new Fault('streamOffline');
    }),
  ];
}

function urlSeconds({ urlExpireSec }: Readonly<Record<string, unknown>>): number {
  if (urlExpireSec === undefined || urlExpireSec === 0) return DEFAULT_URL_SECONDS;
  if (typeof urlExpireSec !== 'number' || !(urlExpireSec >= 1 && urlExpireSec <= MAX_URL_SECONDS))
    throw invalidField(`urlExpireSec must be from 1 to ${MAX_URL_SECONDS}`);
  return Math.floor(urlExpireSec);
}
