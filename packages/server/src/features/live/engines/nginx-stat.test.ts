import { describe, expect, test } from 'vitest';
import { readNginxStat } from './nginx-stat.ts';

const client = (id: string, more = '<publishing/>') =>
  `<client><id>${id}</id><address>127.0.0.1</address><time>1626</time><flashver>x &amp; y</flashver>${more}<active/></client>`;
const stream = (name: string, clients: string) =>
  `<stream>\n<name>${name}</name>\n<time>1564</time><bw_in>0</bw_in>${clients}<nclients>1</nclients><publishing/></stream>`;
const page = (streams: string, application = 'live') =>
  `<?xml version="1.0" encoding="utf-8" ?>\n<rtmp>\n<nginx_version>1.22.1</nginx_version>\n<pid>13784</pid>\n<uptime>2</uptime>
<server>\n<application>\n<name>${application}</name>\n<live>\n${streams}<nclients>2</nclients>\n</live>\n</application>\n</server>\n</rtmp>\n`;

describe('/stat of nginx-rtmp', () => {
  test('names the process and who publishes, not who plays', () => {
    const xml = page(stream('abc_7', client('2') + client('5', '')) + stream('abc_gate', client('6')));
    expect(readNginxStat(xml, 'live')).toEqual({
      boot: '13784',
      publishers: [
        { client: '2', name: 'abc_7', address: '127.0.0.1' },
        { client: '6', name: 'abc_gate', address: '127.0.0.1' },
      ],
    });
  });

  test('of an engine that nobody publishes to, or of another application, names nobody', () => {
    expect(readNginxStat(page(''), 'live').publishers).toEqual([]);
    expect(readNginxStat(page(stream('a', client('1')), 'other'), 'live').publishers).toEqual([]);
  });

  test.each(['', 'bad gateway', '<html><body>502</body></html>', '<rtmp><server></server></rtmp>'])(
    'is not read out of %j: nothing known is not nobody there',
    (text) => {
      expect(() => readNginxStat(text, 'live')).toThrow();
    },
  );
});
