import { describe, expect, test } from 'vitest';
import { playbackList, segmentsOf, withQuery } from './hls-playlist.ts';

const engine =
  '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2.000,\n7.ts\n#EXTINF:1.500,\n8.ts\n';

describe('playlists', () => {
  test('of an engine name its segments, and none that is elsewhere', () => {
    expect(segmentsOf(engine)).toEqual(['7.ts', '8.ts']);
    expect(segmentsOf('#EXTM3U\n../secret.ts\nhttp://a/b.ts\n/etc/passwd\nok.ts\n')).toEqual(['ok.ts']);
    expect(segmentsOf('')).toEqual([]);
  });

  test('hand a token on to their segments', () => {
    expect(segmentsOf(withQuery(engine, '').replaceAll('?', ''))).toEqual(['7.ts', '8.ts']);
    expect(withQuery(engine, 'e=1&token=t')).toContain('\n8.ts?e=1&token=t\n');
  });

  test('of recordings give each part its head, its time and a break before it', () => {
    const part = (seconds: number) => ({ url: `u${seconds}`, startAt: new Date(0), seconds, headBytes: 10 });
    expect(playbackList([part(1.5), part(3)]).split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-TARGETDURATION:3',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-MAP:URI="u1.5",BYTERANGE="10@0"',
      '#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00.000Z',
      '#EXTINF:1.500,',
      'u1.5',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="u3",BYTERANGE="10@0"',
      '#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00.000Z',
      '#EXTINF:3.000,',
      'u3',
      '#EXT-X-ENDLIST',
      '',
    ]);
  });
});
