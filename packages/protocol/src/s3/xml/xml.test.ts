import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../test/arbitraries.ts';
import { codeOf } from '../../../test/s3-faults.ts';
import { s3Errors } from '../errors.ts';
import { errorXml, S3Fault } from '../fault.ts';
import { childFlag, childNumber, childrenOf, childText, parseXml, requiredText } from './body.ts';
import { readXml, type XmlElement, XmlParseError } from './read.ts';
import { escapeXml, writeXml } from './write.ts';

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
    expect(childrenOf(root, 'Contents').map((entry) => childText(entry, 'Key'))).toEqual(["a&b/'", '<x>']);
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
  expect(() => readXml(source)).toThrow(XmlParseError);
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/);
// NUL has no spelling in XML at all, and no key has it.
const text = anyText().map((any) => any.replaceAll('\0', ''));
const tree: fc.Memo<XmlElement> = fc.memo((depth) =>
  depth <= 1
    ? fc.record({ name, text, children: fc.constant([]) })
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
      anyText(),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(soup, (source) => {
        try {
          readXml(source);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlParseError);
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
      `<A>${'<![CDATA['.repeat(100_000)}`,
      `<A>${'<!---->'.repeat(140_000)}</A>`,
      `<A>${'<![CDATA[]]>'.repeat(110_000)}</A>`,
      `<A${' '.repeat(1_000_000)}`,
      `<A>${'<B '.repeat(300_000)}`,
    ])
      expect(() => readXml(source)).toThrow(XmlParseError);
    // Some 0.3 s; a reader that looks back would need minutes, and this test would not end in its time.
  });
});

const bytesOf = (source: string) => new TextEncoder().encode(source);

describe('bodies of requests', () => {
  test.each([
    '<Delete><Object><Key>a</Key></Object></Delete>',
    '\uFEFF<?xml version="1.0" encoding="UTF-8"?><Delete><Object><Key>a</Key></Object></Delete>',
    ' \n<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>a</Key></Object></Delete>\n',
    '<s3:Delete xmlns:s3="x"><s3:Object><s3:Key>a</s3:Key></s3:Object></s3:Delete>',
    '<Delete><!-- by hand --><Object><Unknown/><Key><![CDATA[a]]></Key></Object></Delete>',
  ])('%j names the key a', (source) => {
    const root = parseXml(bytesOf(source), 'Delete');
    expect(childrenOf(root, 'Object').map((object) => requiredText(object, 'Key'))).toEqual(['a']);
  });

  test('white space in a key counts, a bare line break is a line feed, a written one is kept', () => {
    const root = parseXml(bytesOf('<A><Key> a\r\nb&#13;&#10;\t</Key></A>'));
    expect(childText(root, 'Key')).toBe(' a\nb\r\n\t');
  });

  test('numbers and flags are read strictly', () => {
    const root = parseXml(
      bytesOf('<A><Days> 3 </Days><Bad>1e3</Bad><Quiet>TRUE</Quiet><Off>false</Off><Maybe>1</Maybe></A>'),
    );
    expect(childNumber(root, 'Days')).toBe(3);
    expect(childNumber(root, 'Hours')).toBeUndefined();
    expect(codeOf(() => childNumber(root, 'Bad'))).toBe('MalformedXML');
    expect(childFlag(root, 'Quiet')).toBe(true);
    expect(childFlag(root, 'Off')).toBe(false);
    expect(codeOf(() => childFlag(root, 'Maybe'))).toBe('MalformedXML');
    expect(codeOf(() => requiredText(root, 'Key'))).toBe('MalformedXML');
  });

  test('[S87] a document type, 10,000 nested elements and 3 MiB are refused', () => {
    expect(codeOf(() => parseXml(bytesOf('<!DOCTYPE a><a/>')))).toBe('MalformedXML');
    expect(codeOf(() => parseXml(bytesOf('<a>'.repeat(10_000) + '</a>'.repeat(10_000))))).toBe(
      'MalformedXML',
    );
    expect(codeOf(() => parseXml(new Uint8Array(3 * 1024 * 1024)))).toBe('MaxMessageLengthExceeded');
    expect(codeOf(() => parseXml(Uint8Array.of(0x3c, 0x61, 0x2f, 0x3e, 0xff)))).toBe('MalformedXML');
    expect(codeOf(() => parseXml(bytesOf('<Deleted/>'), 'Delete'))).toBe('MalformedXML');
  });
});

describe('answers', () => {
  test('have the declaration, the namespace, and elements in their order; what is undefined is left out', () => {
    expect(
      writeXml('ListBucketResult', {
        Name: 'b',
        Prefix: '',
        Marker: undefined,
        MaxKeys: 2,
        IsTruncated: false,
        Contents: [{ Key: 'a&b' }, { Key: '<' }],
        CommonPrefixes: [],
        Grantee: { '@xsi:type': 'CanonicalUser', ID: '1' },
      }),
    ).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix>' +
        '<MaxKeys>2</MaxKeys><IsTruncated>false</IsTruncated>' +
        '<Contents><Key>a&amp;b</Key></Contents><Contents><Key>&lt;</Key></Contents>' +
        '<Grantee xsi:type="CanonicalUser"><ID>1</ID></Grantee></ListBucketResult>',
    );
  });

  test('[S43] control characters, CR and quotes of keys are written as AWS writes them', () => {
    expect(escapeXml('a\u0001\r\n\t"é\u{1f600}\uffff>')).toBe('a&#x1;&#xd;\n\t&quot;é\u{1f600}&#xffff;&gt;');
  });

  test('errors have no namespace; the hint follows the message, details precede the resource', () => {
    const fault = new S3Fault('NoSuchKey', { hint: 'look elsewhere', details: { Key: 'a<b' } });
    expect(fault.status).toBe(404);
    expect(errorXml(fault, { resource: '/b/a', requestId: 'r1' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>' +
        '<Message>The specified key does not exist: look elsewhere</Message><Key>a&lt;b</Key>' +
        '<Resource>/b/a</Resource><RequestId>r1</RequestId><HostId>r1</HostId></Error>',
    );
  });

  test('every error has a text and a status of a refusal, or of a redirect', () => {
    for (const [code, { status, message }] of Object.entries(s3Errors)) {
      expect(status).toBeGreaterThanOrEqual(code === 'PermanentRedirect' ? 301 : 400);
      expect(message).not.toBe('');
    }
  });
});
