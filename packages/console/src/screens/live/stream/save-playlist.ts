/** Saves a playlist of what was recorded within a time; its addresses are signed and last for twelve hours. */
import type { SessionClient } from '@millpond/client/session';
import type { Span } from './lanes.ts';

export async function savePlaylist(
  client: SessionClient,
  { ns, stream, from, to }: Span & { readonly ns: string; readonly stream: string },
): Promise<void> {
  const text = await client.live.streams(ns).playback(stream, { start: from, end: to });
  const address = URL.createObjectURL(new Blob([text], { type: 'application/vnd.apple.mpegurl' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${stream}-${from}-${to}.m3u8`;
  link.click();
  URL.revokeObjectURL(address);
}
