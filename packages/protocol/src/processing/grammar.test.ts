import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText, stringOf } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { encodeBase64, encodeBase64Text } from '../base64.ts';
import { Fault } from '../errors/fault.ts';
import { productOf, sourcesOf } from './command-registry.ts';
import { MAX_FOPS, MAX_STAGES, parseFops, printFop, qualifiesForIdle } from './grammar.ts';
import { renderName } from './name-patterns.ts';
import { defaultResultKey, defaultSegmentKey } from './result-key.ts';

const b64 = encodeBase64Text;
const url = (name: string): string => b64(`http://pond.example/${name}`);

/** Commands of every kind, as people write them. */
const samples: readonly string[] = [
  'vframe/jpg/offset/7.5/w/480/h/360/rotate/90',
  'vframe/png/offset/0',
  `vsample/jpg/ss/7/t/180/s/480x/interval/10/pattern/${b64('frames/vframe-$(count)')}`,
  `vsample/png/ss/0/t/10/frames/4/pattern/${b64('$(count).png')}`,
  'avthumb/mp4',
  'avthumb/mp4/vcodec/libx264/vb/1.25m/r/24/s/640x360/autoscale/1/acodec/aac/ab/128k/ar/44100/ac/2/stripmeta/1',
  'avthumb/mp4/crf/28/gop/50/h264Profile/main/h264Level/3.1/ref/3/maxrate/2m/ss/1/t/2.5/aspect/16:9',
  'avthumb/mp4/padW/640/padH/480/padVideoX/10/padVideoY/0/rotate/auto/flip/h/deinterlace/1/colorspace/bt709',
  'avthumb/mp4/loudnorm/1/loudnormI/-14.5/loudnormTP/-2/deinterlace/auto/ignore-error/1/stripmeta/0/hdr/map',
  'avthumb/mp4/vcodec/libx265/hdr/keep',
  `avthumb/mp4/wmImage/${url('logo.png')}/wmGravity/SouthWest/wmOffsetX/-5/wmScale/0.25/wmScaleType/2/wmPos/1/wmDuration/2`,
  `avthumb/mp4/wmText/${b64("it's 100% [x];movie=b")}/wmGravityText/Center/wmFont/${b64('DejaVu Sans')}/wmFontColor/${b64('#ff0080')}/wmFontSize/400`,
  `avthumb/mp4/subtitle/${url('s.srt')}/scodec/mov_text/keyFramePosition/0,1.5,3`,
  'avthumb/mp3/aq/4/writeXing/0',
  'avthumb/gif/s/120x/gifHighColor/1/r/5',
  'avthumb/webm/an/1',
  `avthumb/m3u8/noDomain/1/segtime/5/pattern/${b64('live/$(count).ts')}/vb/440k`,
  `avthumb/hls/hlsKey/${encodeBase64(new Uint8Array(16).fill(7))}/hlsKeyUrl/${url('key')}/hlsIV/${encodeBase64(new Uint8Array(16).fill(255))}`,
  'avthumb/m3u8/segmentType/fmp4',
  'avthumb/m3u8/segFirstTime/2/vcodec/copy/acodec/copy',
  `avconcat/2/format/mp4/index/2/s/640x360/addAudio/0/${url('a.mp4')}/${url('b.mp4')}`,
  `avconcat/mode/1/format/mp4/${url('a.mp4')}`,
  'avinfo',
  'imageInfo',
  'imageAve',
  'exif',
  'qhash/md5',
  'imageView2/1/w/200/h/100/format/webp/interlace/1/q/80!',
  'imageView2/0/w/200/ignore-error/1',
  'imageMogr2/auto-orient/thumbnail/!50p/strip/gravity/Center/crop/!100x50a10-5/rotate/45/format/png/blur/3x5',
  'imageMogr2/thumbnail/!300x200r/gravity/SouthEast/crop/x100/gravity/North/crop/20x/quality/80!/size-limit/15k!',
  `imageMogr2/sharpen/1/colors/16/background/${b64('red')}/interlace/1/size-limit/$(fsize)`,
  `watermark/1/image/${url('logo.png')}/dissolve/50/gravity/SouthEast/dx/20/dy/20/ws/0.3/wst/1/tile/0`,
  `watermark/2/text/${b64('<b>水印 & more</b>')}/font/${b64('宋体')}/fontsize/500/fill/${b64('yellow')}/dissolve/85`,
  `watermark/3/image/${url('logo.png')}/dx/1/text/${b64('x')}/gravity/North/image/${url('two.png')}`,
  `watermark/4/text/${b64('secret')}/rotate/45/uw/10/uh/20/ignore-error/1`,
  `concat/mimeType/${b64('text/plain; charset=utf-8')}/${url('a.txt')}/${url('b.txt')}`,
  `mkzip/2/url/${url('a%20b.jpg')}/url/${url('x.jpg')}/alias/${b64('folder/x.jpg')}`,
  'mkzip/4',
  `avthumb/mp4|vframe/jpg/offset/1|saveas/${b64('pond:a b.jpg')}/deleteAfterDays/3`,
  `avthumb/mp4|saveas/${b64('pond')}/savePattern/${b64('$(keybase)_$(fname)')}`,
  `imageView2/2/w/9|saveas/${b64('pond:')}/saveKey/${b64('$(year)/$(etag)')}`,
];

describe('every sample', () => {
  test.each(samples)('%s is parsed, and printed so that it parses to the same', (text) => {
    const [fop] = parseFops(text);
    expect(fop?.cmd).toBe(text);
    if (fop === undefined) throw new Error('no command');
    const printed = printFop(fop);
    const [again] = parseFops(printed);
    expect(again).toEqual({ ...fop, cmd: printed });
    expect(again === undefined ? '' : printFop(again)).toBe(printed);
  });

  test('all of them in one text are as many commands, in order', () => {
    const fops = parseFops(samples.slice(0, MAX_FOPS).join(';'));
    expect(fops.map(({ cmd }) => cmd)).toEqual(samples);
  });
});

const pieces = fc.oneof(
  fc.constantFrom(...samples),
  fc.constantFrom(...samples.flatMap((sample) => sample.split('/'))),
  fc.constantFrom(
    'avthumb',
    'saveas',
    'vframe',
    'imageMogr2',
    'watermark',
    'mkzip',
    'url',
    'text',
    'image',
    '__proto__',
  ),
  stringOf('/;|!x0159a-@<>p$()=', 12),
  anyText(12),
);

test('no text makes it throw anything but its own fault, and what it accepts can be printed and parsed again', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.constantFrom('/', '|', ';', ''), (parts, joint) => {
      let fops: ReturnType<typeof parseFops>;
      try {
        fops = parseFops(parts.join(joint));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        expect(['invalidArgument', 'keyNotUtf8', 'unsupportedCommand']).toContain(error.fault);
        return;
      }
      for (const fop of fops) expect(parseFops(printFop(fop))[0]).toEqual({ ...fop, cmd: printFop(fop) });
    }),
    { numRuns: 1000 },
  );
});

test('a value changed anywhere in a good command gives a command or a fault', () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.nat(40), pieces, (sample, at, piece) => {
      const segments = sample.split('/');
      segments[at % segments.length] = piece;
      faultOf(() => parseFops(segments.join('/')));
    }),
    { numRuns: 1000 },
  );
});

describe('what is refused', () => {
  test.each([
    ['nothing', ''],
    ['an unknown command', 'transmogrify/mp4'],
    ['an empty command between two', 'avinfo;;avinfo'],
    ['an empty stage', 'avinfo||qhash/md5'],
    ['a command that ends in a pipe', 'avinfo|'],
    ['saveas alone', `saveas/${b64('pond:a')}`],
    ['saveas in the middle', `saveas/${b64('pond:a')}|avinfo`],
    ['saveas twice', `avinfo|saveas/${b64('pond:a')}|saveas/${b64('pond:b')}`],
    ['saveas without an entry', 'avinfo|saveas'],
    ['saveas with an entry that is not Base64', 'avinfo|saveas/***'],
    ['saveas with an unknown option', `avinfo|saveas/${b64('pond:a')}/deleteAfterWeeks/1`],
    ['saveas with 0 days', `avinfo|saveas/${b64('pond:a')}/deleteAfterDays/0`],
    ['saveas with an unknown variable', `avinfo|saveas/${b64('pond')}/savePattern/${b64('$(nothing)')}`],
    ['segments that go into another command', 'avthumb/m3u8|vframe/jpg/offset/1'],
    ['a name of an inherited property', 'constructor/x'],
    ['a parameter of that kind', 'avthumb/mp4/__proto__/1'],
    ['a parameter twice', 'vframe/jpg/offset/1/offset/2'],
    ['a parameter without a value', 'vframe/jpg/offset'],
    ['a slash at the end', 'vframe/jpg/offset/1/'],
    ['a required parameter missing', 'vframe/jpg/w/10'],
    ['a negative offset', 'vframe/jpg/offset/-1'],
    ['a frame too wide', 'vframe/jpg/offset/1/w/3841'],
    ['a URL that is no web address', `avthumb/mp4/wmImage/${b64('file:///etc/passwd')}`],
    ['a URL with a line break in it', `avthumb/mp4/wmImage/${b64('http://a.example/\nx')}`],
    ['a font with a colon in it', `avthumb/mp4/wmText/${b64('x')}/wmFont/${b64('a:textfile=/etc/passwd')}`],
    ['a pattern without $(count)', `vsample/jpg/ss/1/t/1/pattern/${b64('x')}`],
    ['more images than anybody wants', `vsample/jpg/ss/1/t/90000/interval/1/pattern/${b64('$(count)')}`],
    ['codec and format that do not agree', 'avthumb/webm/vcodec/libx264'],
    ['crf with vb', 'avthumb/mp4/crf/20/vb/1m'],
    ['a copy that is scaled', 'avthumb/mp4/vcodec/copy/s/100x100'],
    ['neither video nor sound', 'avthumb/mp4/vn/1/an/1'],
    ['HDR in a codec that players do not know it of', 'avthumb/mp4/hdr/keep'],
    ['a mark on HDR', `avthumb/mp4/vcodec/libx265/hdr/keep/wmImage/${url('logo.png')}`],
    ['a subtitle burnt into HDR', `avthumb/mp4/vcodec/libx265/hdr/keep/subtitle/${url('s.srt')}`],
    ['a copy whose HDR is mapped', 'avthumb/mp4/vcodec/copy/hdr/map'],
    ['a loudness that nobody asked for', 'avthumb/mp4/loudnormI/-16'],
    ['a loudness above everything', 'avthumb/mp4/loudnorm/1/loudnormI/-4'],
    ['a negative volume', 'avthumb/mp4/volume/-1'],
    ['segments of an mp4', 'avthumb/mp4/segtime/10'],
    ['a key without its address', `avthumb/m3u8/hlsKey/${encodeBase64(new Uint8Array(16))}`],
    ['a key of 15 bytes', `avthumb/m3u8/hlsKey/${encodeBase64(new Uint8Array(15))}/hlsKeyUrl/${url('k')}`],
    ['an index beyond the videos', `avconcat/2/format/mp4/index/3/${url('a')}`],
    ['21 further videos', `avconcat/2/format/mp4/${Array(21).fill(url('a')).join('/')}`],
    [
      'a thousand further files',
      `concat/mimeType/${b64('text/plain')}/${Array(1000).fill(url('a')).join('/')}`,
    ],
    ['a name that leads out of the archive', `mkzip/2/url/${url('a')}/alias/${b64('../a')}`],
    ['an absolute name in the archive', `mkzip/2/url/${url('a')}/alias/${b64('/etc/a')}`],
    ['a name with a drive in it', `mkzip/2/url/${url('a')}/alias/${b64('C:/a')}`],
    ['two files of one name', `mkzip/2/url/${url('a')}/url/${url('b/a')}`],
    ['mode 6', 'imageView2/6/w/10'],
    ['mode 1 without a size', 'imageView2/1'],
    ['quality 0', 'imageView2/2/w/10/q/0'],
    ['rotate 361', 'imageMogr2/rotate/361'],
    ['wmScaleType without wmScale', `avthumb/mp4/wmImage/${url('l')}/wmScaleType/1`],
    ['an unknown hash', 'qhash/md4'],
    ['avinfo with a parameter', 'avinfo/x'],
  ])('%s', (_what, text) => {
    expect(faultOf(() => parseFops(text))).toBe('invalidArgument');
  });

  test('a refusal says which command and what about it', () => {
    const hintOf = (text: string): string | undefined => {
      try {
        parseFops(text);
      } catch (error) {
        return error instanceof Fault ? error.hint : undefined;
      }
      return undefined;
    };
    expect(hintOf('vframe/jpg/offset/x')).toContain('vframe: offset must be a number');
    expect(hintOf('nope/\n')).toBe('there is no command "nope"');
    expect(hintOf(`${'x'.repeat(9999)}`)?.length).toBeLessThan(100);
  });

  test('too many commands or stages', () => {
    expect(
      faultOf(() =>
        parseFops(
          Array(MAX_FOPS + 1)
            .fill('avinfo')
            .join(';'),
        ),
      ),
    ).toBe('invalidArgument');
    expect(
      faultOf(() =>
        parseFops(
          Array(MAX_STAGES + 1)
            .fill('avinfo')
            .join('|'),
        ),
      ),
    ).toBe('invalidArgument');
    expect(faultOf(() => parseFops('x'.repeat(300_000)))).toBe('invalidArgument');
  });
});

test.each([
  'avthumb/aac/audioProfile/aac_he',
  'avthumb/mp4/audioProfile/aac_he_v2',
  'avthumb/amr',
  'avthumb/mp4/avsmart/1',
  'avthumb/mp4/hr/1',
  `avthumb/m3u8/hlsKeyType/1.0/hlsKey/${encodeBase64(new Uint8Array(16))}/hlsKeyUrl/${url('k')}`,
  'odconv/pdf',
])('what the engines cannot do is refused and says so: %s', (text) => {
  expect(faultOf(() => parseFops(text))).toBe('unsupportedCommand');
});

test('older spellings mean the same', () => {
  const [one, other] = parseFops('avthumb/mp4/h264Crf/30/acodec/libfdk_aac;avthumb/mp4/acodec/aac/crf/30');
  expect(one?.stages).toEqual(other?.stages);
});

test('idle time is for avthumb, segmenting, avconcat, vframe and vsample, and every command must be one', () => {
  const pattern = b64('$(count)');
  const idle = [
    'avthumb/mp4',
    'avthumb/m3u8',
    `avconcat/2/format/mp4/${url('a')}`,
    'vframe/jpg/offset/1',
    `vsample/jpg/ss/0/t/1/pattern/${pattern}`,
    `vframe/jpg/offset/1|saveas/${b64('pond:a')}`,
  ];
  for (const text of idle) expect(qualifiesForIdle(parseFops(text))).toBe(true);
  expect(qualifiesForIdle(parseFops(idle.join(';')))).toBe(true);
  expect(qualifiesForIdle(parseFops('avthumb/mp4;imageView2/2/w/1'))).toBe(false);
  expect(qualifiesForIdle(parseFops('vframe/jpg/offset/1|imageView2/2/w/1'))).toBe(false);
});

test('the default key is Qiniu’s', () => {
  expect(defaultResultKey(hashing, 'avthumb/iphone_low', 'FjgJQXuH7OresQL4zgRqYG5bZ64x')).toBe(
    'tZ-w8jHlQ0__PYJdiisskrK5h3k=/FjgJQXuH7OresQL4zgRqYG5bZ64x',
  );
  expect(defaultResultKey(hashing, 'avthumb/mp3/ar/44100/ab/32k', 'x')).toBe(
    'sFhZ4dSjB1zvL3De1UBX2qZ_VR0=/x',
  );
  expect(defaultSegmentKey('a/b', 12, 'ts')).toBe('a/b/000012.ts');
});

test('sources and products of a command', () => {
  const [joined, played, told] = parseFops(
    `avconcat/2/format/mp4/${url('a')}/${url('b')};avthumb/m3u8/wmImage/${url('l')}/subtitle/${url('s')};avinfo`,
  ).map(({ stages: [plan] }) => plan);
  if (joined === undefined || played === undefined || told === undefined) throw new Error('no plan');
  expect(sourcesOf(joined)).toEqual(['http://pond.example/a', 'http://pond.example/b']);
  expect(sourcesOf(played)).toEqual(['http://pond.example/l', 'http://pond.example/s']);
  expect([joined, played, told].map(productOf)).toEqual(['file', 'files', 'json']);
});

test('names of results are made of what is known', () => {
  const [fop] = parseFops(`avinfo|saveas/${b64('pond')}/saveKey/${b64('a/$(year)-$(mon)/$(etag).json')}`);
  const saveKey = fop?.saveAs?.saveKey;
  if (saveKey === undefined) throw new Error('no saveKey');
  const values = { etag: '$(year)', year: '2026', mon: '11', day: '', hour: '', min: '', sec: '' };
  expect(renderName(saveKey, values)).toBe('a/2026-11/$(year).json');
});
