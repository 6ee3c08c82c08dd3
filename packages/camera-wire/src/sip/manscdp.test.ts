import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SipParseError } from './fault.ts';
import { catalogQuery, parseDeviceMessage } from './manscdp.ts';

const anyText = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));

const xml = (root: string, content: string, encoding = 'GB2312') =>
  Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>\r\n<${root}>\r\n${content}</${root}>`, 'latin1');
const catalog = (items: string, sum = '1') =>
  xml(
    'Response',
    `<CmdType>Catalog</CmdType><SN>7</SN><DeviceID>34020000001320000001</DeviceID><SumNum>${sum}</SumNum>` +
      `<DeviceList Num="1">${items}</DeviceList>`,
  );
const item = (content: string, gbid = '34020000001310000001') =>
  `<Item><DeviceID>${gbid}</DeviceID>${content}</Item>`;
const channelsOf = (bytes: Buffer) => {
  const message = parseDeviceMessage(bytes);
  if (message.command !== 'Catalog') throw new Error('a catalog was expected');
  return message.channels;
};

describe('what a device says', () => {
  test('is a keepalive, a catalog or something else', () => {
    const keepalive =
      '<CmdType>Keepalive</CmdType><SN>43</SN><DeviceID>34020000001320000001</DeviceID><Status>OK</Status>';
    expect(parseDeviceMessage(xml('Notify', keepalive))).toEqual({ command: 'Keepalive' });
    expect(parseDeviceMessage(xml('Notify', '<CmdType>Alarm</CmdType>'))).toEqual({ command: 'other' });
    expect(parseDeviceMessage(catalog(item('<Name>Gate</Name><Status>ON</Status>'), '12'))).toEqual({
      command: 'Catalog',
      number: '7',
      total: 12,
      count: 1,
      channels: [{ gbid: '34020000001310000001', name: 'Gate', vendor: '', isOn: true }],
    });
  });

  test('is GB18030 unless it says UTF-8', () => {
    // 大门 in GBK.
    const name = `<Name>${Buffer.from([0xb4, 0xf3, 0xc3, 0xc5]).toString('latin1')}</Name>`;
    expect(channelsOf(catalog(item(name)))[0]?.name).toBe('大门');
    const utf8 = Buffer.from(
      catalog(item('<Name>NAME</Name>')).toString().replace('GB2312', 'UTF-8').replace('NAME', '大门'),
    );
    expect(channelsOf(utf8)[0]?.name).toBe('大门');
  });

  test.each([
    ['ON', true],
    ['on', true],
    ['OK', true],
    ['ONLINE', true],
    ['OFF', false],
    ['OFFLINE', false],
    ['VLOST', false],
  ])('of a channel with status %s: on is %j', (status, isOn) => {
    expect(channelsOf(catalog(item(`<Status>${status}</Status>`)))[0]?.isOn).toBe(isOn);
  });

  test('of groups, organisations and civil codes is no channel', () => {
    const items = ['34020000002150000001', '34020000002160000001', '340200'].map((gbid) => item('', gbid));
    expect(parseDeviceMessage(catalog(items.join(''), '3'))).toMatchObject({ count: 3, channels: [] });
  });

  test('expands no entity but the five that XML has', () => {
    const name = '<Name>a &lt;b&gt; &amp;amp; &#65; &evil;</Name>';
    expect(channelsOf(catalog(item(name)))[0]?.name).toBe('a <b> &amp; &#65; &evil;');
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${catalog('').toString()}`;
    expect(() => parseDeviceMessage(Buffer.from(bomb))).toThrow(SipParseError);
  });

  test.each([
    ['deeper than any device nests', xml('Notify', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`)],
    ['of more items than a message may have', catalog(item('').repeat(1001), '1001')],
    ['of more channels than a device may have', catalog('', '10001')],
    ['without a sum', catalog('', 'x')],
    ['of nothing but tags', xml('Notify', '<a/>'.repeat(9_000))],
    ['of another kind', xml('Query', '<CmdType>Catalog</CmdType>')],
    ['nothing', Buffer.alloc(0)],
    ['a dangerous name', xml('Notify', '<__proto__><CmdType>x</CmdType></__proto__>')],
  ])('%s is not read', (_what, bytes) => {
    expect(() => parseDeviceMessage(bytes)).toThrow(SipParseError);
  });

  test('whatever it is, throws nothing but its own fault, and gives texts that a database takes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<Notify>',
        '</Notify>',
        '<Response>',
        '<CmdType>Catalog</CmdType>',
        '<SumNum>2</SumNum>',
      ),
      fc.constantFrom(
        '<SN>1</SN>',
        '<DeviceList>',
        '<Item>',
        '</Item>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '&',
        '<?x',
      ),
      fc.constantFrom(
        '<DeviceID>34020000001310000001</DeviceID>',
        '<Name>',
        '</Name>',
        '\0',
        '\ufeff',
        '<a b="',
      ),
      anyText(20),
    );
    const bytes = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((all) => Buffer.from(all.join(''), 'latin1')),
      fc.array(piece, { maxLength: 12 }).map((all) => catalog(item(`<Name>${all.join('')}</Name>`))),
      fc.uint8Array({ maxLength: 500 }).map((all) => Buffer.from(all)),
    );
    fc.assert(
      fc.property(bytes, (each) => {
        try {
          const message = parseDeviceMessage(each);
          if (message.command !== 'Catalog') return;
          for (const { name, vendor } of message.channels) {
            expect(`${name}${vendor}`).not.toContain('\0');
            expect(name.isWellFormed() && name.length <= 255).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof SipParseError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('the query is one that a device reads', () => {
    expect(catalogQuery('34020000001320000001', 5).toString()).toContain(
      '<SN>5</SN>\r\n<DeviceID>34020000001320000001<',
    );
  });
});
