/**
 * Streams that are online and have no playlist yet: a publisher's first segment takes seconds, and comes never where it sends
 * nothing. They are told as starting until their engine has a playlist of them.
 */
import { engineName } from '../engine-name.ts';
import type { Engine } from '../engines/index.ts';
import type { SessionStore } from './stream-sessions.store.ts';

/** How many are looked at in a round. Chosen by chance, so that those that never start keep nobody else's from being seen. */
const MAX_WAITING_FOR_START = 20;
const PLAYLIST = 'index.m3u8';

/** Returns how many have something to play now. */
export async function noteStarted(
  store: Pick<SessionStore, 'starting' | 'playable'>,
  { id, client }: Engine,
  signal: AbortSignal,
): Promise<number> {
  const looked = (await store.starting(id, MAX_WAITING_FOR_START)).map(async (stream) => {
    // An engine that is away is noticed elsewhere, and its streams go on starting.
    const playlist = await client.hls(engineName(stream), PLAYLIST, signal).catch(() => undefined);
    return playlist?.includes('#EXTINF') ? [stream] : [];
  });
  const started = (await Promise.all(looked)).flat();
  if (started.length > 0) await store.playable(started);
  return started.length;
}
