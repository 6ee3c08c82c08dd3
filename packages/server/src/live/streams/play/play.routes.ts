/**
 * HLS of a stream: the engine's files, for clients with a token. The playlist passes the token on to its segments, so a
 * player needs only one URL.
 */
import { Fault } from '@millpond/protocol';
import type { AccountStates } from '../../../identity/accounts/index.ts';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import {
  type HttpResponse,
  queryFields,
  REQUEST_ID_HEADER,
  type RequestContext,
  type Route,
  waitForDrain,
} from '../../../platform/web/index.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { Engine } from '../engines/index.ts';
import { withQuery } from '../hls-playlist.ts';
import { isNamespaceId, isStreamId } from '../ids.ts';
import { verifyStreamToken } from '../streams/stream-keys.ts';
import type { Player, Streams } from '../streams/streams.ts';

export interface PlayDeps {
  readonly streams: Streams;
  readonly accounts: AccountStates;
  /** How long cached facts about a stream are fresh enough for its players. */
  readonly freshMs: number;
}

const PLAYLIST = 'index.m3u8';
const SEGMENT = /^[A-Za-z0-9_-]{1,200}\.ts$/;
const MAX_STREAMS = 10_000;

export function playRoutes({ streams, accounts, freshMs }: PlayDeps): Route[] {
  // Every player requests a playlist every few seconds, and each segment.
  const players = new StaleIfErrorCache<Player>({
    load: (name) => {
      const [nsId = '', streamId = ''] = name.split('/');
      return streams.player({ nsId, streamId });
    },
    freshMs,
    staleMs: freshMs,
    entries: MAX_STREAMS,
  });
  return [
    {
      role: 'live',
      methods: ['GET'],
      path: '/v1/play/:ns/:stream/:file',
      cors: true,
      async handle(context) {
        const address = { nsId: context.segment('ns'), streamId: context.segment('stream') };
        const file = context.segment('file');
        const player = await permitted(context, players, address);
        // Not cached with the stream: both may be some seconds stale, but their staleness must not add up.
        if (await accounts.isDisabled(player.uid)) throw new Fault('badToken');
        if (player.engine === undefined) throw new Fault('streamOffline');
        return file === PLAYLIST
          ? playlist(context, player.engine, address)
          : segment(context, player.engine, address, file);
      },
    },
  ];
}

async function permitted(
  context: RequestContext,
  players: StaleIfErrorCache<Player>,
  { nsId, streamId }: StreamAddress,
): Promise<Player> {
  const query = queryFields(context);
  const shown = { end: query.get('e') ?? '', token: query.get('token') ?? '' };
  const player =
    isNamespaceId(nsId) && isStreamId(streamId) ? await players.get(`${nsId}/${streamId}`) : undefined;
  // A missing stream is answered like a wrong token, so that nobody learns which streams exist.
  if (player === undefined || !verifyStreamToken(player.key, 'play', { nsId, streamId }, shown, Date.now()))
    throw new Fault('badToken');
  return player;
}

async function playlist(
  context: RequestContext,
  engine: Engine,
  address: StreamAddress,
): Promise<HttpResponse> {
  const found = await engine.client.hls(engineName(address), PLAYLIST, context.cancel);
  if (found === undefined)
    throw new Fault('notFound', {
      hint: 'the stream is online, starting: its first segment is still to come',
      retryAfterSeconds: 1,
    });
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-cache' },
    body: withQuery(found.toString(), context.target.query ?? ''),
  };
}

/** Streamed from the engine no faster than the player reads: there are many players, and segments are large. */
async function segment(
  context: RequestContext,
  engine: Engine,
  address: StreamAddress,
  file: string,
): Promise<undefined> {
  const found = SEGMENT.test(file)
    ? await engine.client.openHls(engineName(address), file, context.cancel)
    : undefined;
  if (found === undefined) throw new Fault('notFound');
  const { length, pieces } = found;
  const response = context.takeOver();
  response.writeHead(200, {
    'content-type': 'video/mp2t',
    'cache-control': 'private, max-age=60',
    ...(length === undefined ? {} : { 'content-length': length }),
    [REQUEST_ID_HEADER]: context.reqid,
  });
  for await (const piece of pieces) {
    if (!response.write(piece)) await waitForDrain(response, context.cancel);
  }
  response.end();
}
