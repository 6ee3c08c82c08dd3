/** HLS playlists: reads the engine's, and writes one for recorded files. */

/** Segments of a media playlist, in order. Leaves out names that point outside the playlist's own folder. */
export function segmentsOf(playlist: string): string[] {
  return playlist
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((line) => /^[A-Za-z0-9_-]{1,200}\.ts$/.test(line));
}

/** Appends this query to each segment's name, so that a player sends its token with segments as well. */
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

/** Each part has its own header, and its timestamps start again. */
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
