import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { Fault } from '../errors/fault.ts';
import { MAX_TEMPLATE_VARIABLES, parseTemplate, type TemplateEncoding, variablesOf } from './parse.ts';
import { renderTemplate, type TemplateValues } from './render.ts';
import { nameValues, timeValues } from './values.ts';
import { type TemplateContext, templateContexts } from './variables.ts';

function render(
  source: string,
  encoding: TemplateEncoding,
  values: TemplateValues,
  place: TemplateContext = 'body',
) {
  return renderTemplate(parseTemplate(source, place, encoding), values);
}

describe('JSON bodies', () => {
  test('Qiniu’s sample: bare strings are quoted, numbers are not', () => {
    expect(
      render('{"name":$(fname),"size":$(fsize)}', 'json', { fname: 'gogopher.jpg', fsize: 214513 }),
    ).toBe('{"name":"gogopher.jpg","size":214513}');
  });

  test('custom variables are JSON strings', () => {
    expect(render('{"custom_vars":{"a":$(x:a)}}', 'json', { 'x:a': 'a' })).toBe('{"custom_vars":{"a":"a"}}');
  });

  test('objects go in whole, and by their fields', () => {
    const values = { imageInfo: { width: 10, height: 20, format: 'png' } };
    expect(render(`{"i":$(imageInfo),"w":\${imageInfo.width}}`, 'json', values)).toBe(
      '{"i":{"width":10,"height":20,"format":"png"},"w":10}',
    );
  });

  test('no value: null when bare, empty inside quotes', () => {
    expect(render('{"a":$(fname),"b":"$(fname)","c":"[$(x:none)]"}', 'json', {})).toBe(
      '{"a":null,"b":"","c":"[]"}',
    );
    expect(render('[$(exif.Make.val)]', 'json', { exif: null })).toBe('[null]');
  });

  test('a size beyond 2^53 keeps its digits', () => {
    expect(render('[$(fsize),"$(fsize)"]', 'json', { fsize: 9007199254740993n })).toBe(
      '[9007199254740993,"9007199254740993"]',
    );
  });

  test.each(['","role":"root', 'a&admin=1', '\\', '"', '\n\u2028\0', '\ud800', '$(etag)', `\${etag}`])(
    'a file called %j stays one value, bare or quoted',
    (fname) => {
      const body = JSON.parse(render('{"a":$(fname),"b":"<$(fname)>","z":1}', 'json', { fname, etag: 'E' }));
      expect(body).toEqual({ a: fname, b: `<${fname}>`, z: 1 });
    },
  );

  test.each([
    'name=$(fname)',
    '{"a":$(fname)',
    '{$(fname):1}',
    '{"a":1$(fsize)}',
    '{"a":$(fsize)$(fsize)}',
    '{"a":"\\$(fname)"}',
    '{"a":"\\u00$(x:h)41"}',
    '{"a":-$(fsize)}',
    '',
  ])('%j is refused: some value would break it', (source) => {
    expect(() => parseTemplate(source, 'body', 'json')).toThrow(Fault);
  });

  test('whatever the values, an accepted template renders to valid JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      'u00',
      '$(fname)',
      `\${x:a}`,
      '$(',
      '"a"',
    );
    const template = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.constantFrom(`{"a":$(fname),"b":"\${x:a}"}`, '["$(fname)$(x:a)\\\\",$(x:a)]', '"\\"$(fname)"'),
    );
    fc.assert(
      fc.property(template, anyText(10), fc.string(), (source, fname, custom) => {
        let parsed: ReturnType<typeof parseTemplate>;
        try {
          parsed = parseTemplate(source, 'body', 'json');
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          return;
        }
        JSON.parse(renderTemplate(parsed, { fname, 'x:a': custom }));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('form bodies', () => {
  test('values are form text, constants stay as written', () => {
    expect(
      render('name=$(fname)&hash=$(etag)&k=v+1&id=$(x:id)', 'form', { fname: 'a b.jpg', etag: 'F-_=' }),
    ).toBe('name=a+b.jpg&hash=F-_%3D&k=v+1&id=');
  });

  test.each(['a&admin=1', '","role":"root', "!'()*~", '100%', 'x=y;z', '世界', '$(etag)'])(
    'a file called %j cannot add a field',
    (fname) => {
      const body = render('name=$(fname)&hash=$(etag)', 'form', { fname, etag: 'E' });
      expect([...new URLSearchParams(body)]).toEqual([
        ['name', fname],
        ['hash', 'E'],
      ]);
    },
  );
});

describe('names, commands and addresses', () => {
  test('saveKey takes values as they are', () => {
    const values = {
      ...timeValues(1_767_323_045),
      ...nameValues({ fname: 'dir/a.b.jpg', key: 'k/x.png' }),
      etag: 'E',
    };
    expect(
      render('$(year)/$(mon)-$(day)/$(hour)$(min)$(sec)/$(fprefix)$(ext)', 'plain', values, 'saveKey'),
    ).toBe('2026/01-02/030405/dir/a.b.jpg');
    expect(render('$(keybase)_$(etag)', 'plain', values, 'saveKey')).toBe('k/x_E');
  });

  test('a value cannot add a processing command', () => {
    const source = 'avthumb/mp4/wmText/$(x:text)';
    const hostile = 'eA==;avthumb/mp3|saveas/eDp5';
    expect(render(source, 'command', { 'x:text': hostile }, 'persistentOps')).toBe(
      'avthumb/mp4/wmText/eA==%3Bavthumb%2Fmp3%7Csaveas%2FeDp5',
    );
  });

  test('an address takes bodySha1 and nothing that a client sends', () => {
    expect(
      render(
        'http://a.example/?s=$(bodySha1)&h=$(x:host)',
        'plain',
        { bodySha1: 'ab', 'x:host': 'evil' },
        'callbackUrl',
      ),
    ).toBe('http://a.example/?s=ab&h=');
  });

  test('a variable in a place where it may not stand has no value', () => {
    const values = { year: '2026', persistentId: 'p', uuid: 'u', imageInfo: { width: 1 }, bodySha1: 's' };
    expect(render('$(year)$(bodySha1)', 'plain', values, 'body')).toBe('');
    expect(render('$(persistentId)$(uuid)$(imageInfo.width)', 'plain', values, 'saveKey')).toBe('');
    expect(render('$(persistentId)$(imageInfo.width)', 'plain', values, 'persistentOps')).toBe('');
    expect(render('$(nonsense)$(fname.length)', 'plain', { nonsense: 'n', fname: 'f' }, 'body')).toBe('');
  });

  test('sub-fields never reach into the language', () => {
    const values = { imageInfo: { width: 1 }, exif: ['a'] };
    expect(
      render('$(imageInfo.constructor)$(imageInfo.__proto__)$(exif.length)$(exif.0)', 'plain', values),
    ).toBe('');
  });

  test('without a file name, ext, suffix and fprefix have no value', () => {
    expect(nameValues({ key: 'a.jpg', mimeType: 'image/png' })).toMatchObject({
      ext: undefined,
      fprefix: undefined,
    });
    expect(nameValues({ fname: 'photo', mimeType: 'image/jpeg; q=1' })).toMatchObject({
      ext: '.jpg',
      suffix: '.jpg',
    });
    expect(nameValues({ fname: 'photo.JPEG', mimeType: 'image/png' })).toMatchObject({
      ext: '.JPEG',
      fprefix: 'photo',
    });
  });

  test('the zone moves the day', () => {
    expect(timeValues(1_767_312_000 - 1, 480)).toMatchObject({
      year: '2026',
      mon: '01',
      day: '02',
      hour: '07',
    });
  });
});

describe('parsing', () => {
  test('what is no variable name is literal', () => {
    for (const text of [
      '$',
      '$(',
      '$()',
      '$(a',
      '${a)',
      '$( a )',
      '$(x:)',
      '$(a..b)',
      '$((key))',
      'a$(b"c)d',
      '$(x:a b)',
    ]) {
      expect(parseTemplate(text, 'body', 'plain').parts, text).toEqual([text]);
    }
  });

  test('the roots of the variables that need a value', () => {
    const template = parseTemplate('$(imageInfo.width)$(x:a.b)$(year)$(imageInfo.height)', 'body', 'plain');
    expect([...variablesOf(template)]).toEqual(['imageInfo', 'x:a.b']);
  });

  test('templates and what they give are bounded', () => {
    expect(() => parseTemplate('a'.repeat(65_537), 'body', 'plain')).toThrow(Fault);
    parseTemplate('世'.repeat(21_845), 'body', 'plain');
    expect(() => parseTemplate('世'.repeat(21_846), 'body', 'plain')).toThrow(Fault);
    expect(() => parseTemplate('$(key)'.repeat(MAX_TEMPLATE_VARIABLES + 1), 'body', 'plain')).toThrow(Fault);
    const many = parseTemplate('$(x:a)'.repeat(MAX_TEMPLATE_VARIABLES), 'body', 'plain');
    expect(() => renderTemplate(many, { 'x:a': 'a'.repeat(1000) })).toThrow(
      new Fault('tooLarge', {
        hint: 'a template produces more than 65536 bytes',
      }),
    );
  });

  test('the parts hold the source, and values are never expanded again', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom('$(', '${', ')', '}', 'fname', 'x:a', '.', '$'), fc.string()),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...templateContexts),
        fc.constantFrom('$(etag)', `\${etag}`, '$('),
        (pieces, place, value) => {
          const template = parseTemplate(pieces.join(''), place, 'plain');
          const expected = template.parts.map((part) => {
            if (typeof part === 'string') return part;
            return part.available && (part.path[0] === 'fname' || part.path[0] === 'x:a') ? value : '';
          });
          expect(renderTemplate(template, { fname: value, 'x:a': value })).toBe(expected.join(''));
          expect(
            template.parts
              .filter((part) => typeof part === 'string')
              .every((part) => template.source.includes(part)),
          ).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
