import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { isPlaylist, PlaylistRewriter, type UriKind } from './rewrite.ts';

/** All lines, and every URI that was seen. */
function rewritten(text: string, replace = (uri: string) => `<${uri}>`) {
  const seen: [string, UriKind][] = [];
  const rewriter = new PlaylistRewriter((uri, kind) => {
    seen.push([uri, kind]);
    return replace(uri);
  });
  const lines = text.split('\n').map((line) => rewriter.line(line));
  return { text: lines.join('\n'), seen };
}

describe('a playlist', () => {
  test.each([
    ['#EXTM3U', true],
    ['#EXTM3U\n#EXTINF:1,\na.ts', true],
    ['#EXTM3U \r\n', true],
    ['\uFEFF#EXTM3U\n', true],
    ['#EXTM3U8\n', false],
    [' #EXTM3U\n', false],
    ['a.ts\n#EXTM3U', false],
    ['', false],
  ])('%j: %s', (text, is) => expect(isPlaylist(text)).toBe(is));
});

describe('the URIs', () => {
  test('of segments, heads, keys and parts are files', () => {
    const { text, seen } = rewritten(
      [
        '#EXTM3U',
        '#EXT-X-KEY:METHOD=AES-128,URI="k?a=1,b",IV=0x01',
        '#EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"',
        '#EXT-X-SESSION-KEY:METHOD=AES-128,URI="s"',
        '#EXT-X-PART:DURATION=1,URI="p.ts"',
        '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="h.ts"',
        '#EXTINF:2.000,a title, with URI="none"',
        'a.ts',
        '',
        '# URI="a comment"',
        'b.ts?v=1',
      ].join('\n'),
    );
    expect(seen).toEqual(
      ['k?a=1,b', 'init.mp4', 's', 'p.ts', 'h.ts', 'a.ts', 'b.ts?v=1'].map((uri) => [uri, 'file']),
    );
    expect(text).toContain('#EXT-X-KEY:METHOD=AES-128,URI="<k?a=1,b>",IV=0x01\n');
    expect(text).toContain('#EXTINF:2.000,a title, with URI="none"\n<a.ts>\n\n# URI="a comment"\n<b.ts?v=1>');
  });

  test('of variants, renditions and reports are playlists, and so is what is called one', () => {
    const { seen } = rewritten(
      [
        '#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="URI=",URI="audio"',
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="frames"',
        '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a,b"',
        '# in between',
        '',
        'high',
        'low.M3U8?x=1',
        'then.ts',
        '#EXT-X-RENDITION-REPORT:URI="report"',
      ].join('\n'),
    );
    expect(seen).toEqual([
      ['audio', 'playlist'],
      ['frames', 'playlist'],
      ['high', 'playlist'],
      ['low.M3U8?x=1', 'playlist'],
      ['then.ts', 'file'],
      ['report', 'playlist'],
    ]);
  });

  test('are not found inside other values', () => {
    const line = '#EXT-X-MEDIA:NAME="x,URI=",LANGUAGE="en"';
    expect(rewritten(line)).toEqual({ text: line, seen: [] });
    const broken = '#EXT-X-KEY:METHOD AES,URI="k"';
    expect(rewritten(broken)).toEqual({ text: broken, seen: [] });
    expect(rewritten('#EXT-X-KEY:METHOD=AES-128,URI="k').seen).toEqual([]);
    expect(rewritten('#EXT-X-DATERANGE:ID="1",X-ASSET-URI="a"').seen).toEqual([]);
  });

  test('are all that changes: carriage returns, spaces and whatever else is there stay', () => {
    const text = '#EXTM3U\r\n#EXTINF:1,\r\n  a.ts \r\n#EXT-X-MAP:URI="i"\r\n\r\n#EXT-X-ENDLIST';
    expect(rewritten(text).text).toBe(
      '#EXTM3U\r\n#EXTINF:1,\r\n  <a.ts> \r\n#EXT-X-MAP:URI="<i>"\r\n\r\n#EXT-X-ENDLIST',
    );
    expect(rewritten('a$&b.ts', (uri) => uri).text).toBe('a$&b.ts');
  });

  test('replaced by themselves leave any text as it was', () => {
    const piece = fc.oneof(
      fc.constantFrom('#EXT-X-KEY:', '#EXTM3U', 'URI="', '"', ',', '=', 'a.ts', '\n', '\r', '\r\n', ' ', '#'),
      anyText(10),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(rewritten(text, (uri) => uri).text).toBe(text);
      }),
    );
  });
});
