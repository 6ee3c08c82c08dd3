/** Playlists of HLS: reading the engine's, and writing one of recorded files. */

/** Segments of a media playlist, in order. Names that point elsewhere than into the playlist's own folder are left out. */
export function segmentsOf(playlist: string): string[] {
  return playlist
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((line) => /^[A-Za-z0-9_-]{1,200}\.ts$/.test(line));
}

/** Each segment's name with this query after it, so that a player shows its token there as well. */
export function withQuery(playlist: string, query: string): string {
  return playlist
    .split(/\r?\n/)
    .map((line) => (line === '' || line.startsWith('#') ? line : `${line}?${query}`))
    .join('\n');
}

export interface PlaybackPart {
  readonly url: string;
  readonly startAt: Date;
  readonly seconds: number;
  readonly headBytes: number;
}

/** Each part has a head of its own, and its times begin anew. */
export function playbackList(parts: readonly PlaybackPart[]): string {
  const longest = Math.max(1, ...parts.map(({ seconds }) => Math.ceil(seconds)));
  const lines = parts.flatMap(({ url, startAt, seconds, headBytes }, index) => [
    ...(index === 0 ? [] : ['#EXT-X-DISCONTINUITY']),
    `#EXT-X-MAP:URI="${url}",BYTERANGE="${headBytes}@0"`,
    `#EXT-X-PROGRAM-DATE-TIME:${startAt.toISOString()}`,
    `#EXTINF:${seconds.toFixed(3)},`,
    url,
  ]);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    ...lines,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
