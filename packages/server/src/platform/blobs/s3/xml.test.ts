import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childrenNamed, childText, escapeXml, readXml, type XmlElement, XmlFault } from './xml.ts';

describe('answers as engines write them', () => {
  test('a list page', () => {
    const root = readXml(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
        '<Name>b</Name><Prefix/><IsTruncated>true</IsTruncated>\n' +
        '<Contents><Key>a&amp;b&#x2F;&#39;</Key><Size>12</Size></Contents>\n' +
        '<Contents><Key><![CDATA[<x>]]></Key><Size>0</Size></Contents></ListBucketResult>\n',
    );
    expect(root.name).toBe('ListBucketResult');
    expect(childText(root, 'Prefix')).toBe('');
    expect(childText(root, 'Marker')).toBeUndefined();
    expect(childrenNamed(root, 'Contents').map((entry) => childText(entry, 'Key'))).toEqual(["a&b/'", '<x>']);
  });

  test('white space sent ahead to keep the connection open, and comments', () => {
    expect(readXml('  \n<?xml version="1.0"?>\n  <A><!-- kept open -->x</A>')).toEqual({
      name: 'A',
      text: 'x',
      children: [],
    });
  });
});

test.each([
  '',
  'plain text',
  '<A>',
  '<A></B>',
  '<A/><B/>',
  '<A>&nbsp;</A>',
  '<A>&amp</A>',
  '<A>&#xD800;</A>',
  '<A>&#0;</A>',
  '<A>&#x110000;</A>',
  '<A b=c/>',
  '<A b="<"/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<A><?php ?></A>',
  '<A>x</A>y',
  `${'<A>'.repeat(17)}${'</A>'.repeat(17)}`,
])('%j is refused', (source) => {
  expect(() => readXml(source)).toThrow(XmlFault);
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/);
const tree: fc.Memo<XmlElement> = fc.memo((depth) =>
  depth <= 1
    ? fc.record({ name, text: fc.string({ unit: 'binary' }), children: fc.constant([]) })
    : fc.oneof(
        tree(1),
        fc.record({
          name,
          text: fc.constant(''),
          children: fc.array(tree(depth - 1), { minLength: 1, maxLength: 3 }),
        }),
      ),
);

function write(element: XmlElement): string {
  return `<${element.name}>${escapeXml(element.text)}${element.children.map(write).join('')}</${element.name}>`;
}

describe('for any input', () => {
  test('reading what was written gives it back', () => {
    fc.assert(
      fc.property(tree(3), (element) => {
        expect(readXml(write(element))).toEqual(element);
      }),
    );
  });

  test('nothing but XmlFault is thrown', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      'A',
      '&',
      ';',
      '#',
      'x',
      '<A>',
      '</A>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '"',
      '=',
      ' ',
    );
    const soup = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(soup, (source) => {
        try {
          readXml(source);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlFault);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a megabyte of nearly right input is refused quickly', () => {
    for (const source of [
      `<A ${'a="b" '.repeat(170_000)}`,
      `<A>${'<!-'.repeat(300_000)}`,
      `<A>${'&'.repeat(1_000_000)}`,
    ])
      expect(() => readXml(source)).toThrow(XmlFault);
    // Some 0.3 s; a reader that looks back would need minutes, and this test would not end in its time.
  });
});
