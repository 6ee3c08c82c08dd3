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
      ingests: [
        { name: 'abc_7', bitrate: 0, video: 0, audio: 0 },
        { name: 'abc_gate', bitrate: 0, video: 0, audio: 0 },
      ],
    });
  });

  test('says what comes in, as far as the publisher said it', () => {
    const video =
      '<video><width>1280</width><height>720</height><frame_rate>29.970</frame_rate><codec>H264</codec></video>';
    const meta = `<meta>${video}<audio><codec>AAC</codec><sample_rate>48000</sample_rate></audio></meta>`;
    const figures = `<bw_in>1500000</bw_in><bw_audio>128000</bw_audio><bw_video>1372000</bw_video>`;
    const xml = page(
      `<stream><name>a_1</name>${figures}${client('1')}${meta}<nclients>1</nclients><publishing/></stream>`,
    );
    expect(readNginxStat(xml, 'live').ingests).toEqual([
      {
        name: 'a_1',
        bitrate: 1_500_000,
        audio: 128_000,
        video: 1_372_000,
        fps: 29.97,
        width: 1280,
        height: 720,
        videoCodec: 'H264',
        audioCodec: 'AAC',
      },
    ]);
    const strange = page(
      `<stream><name>a_1</name><bw_in>-1</bw_in><meta>x</meta>${client('1')}<publishing/></stream>`,
    );
    expect(readNginxStat(strange, 'live').ingests).toEqual([{ name: 'a_1', bitrate: 0, video: 0, audio: 0 }]);
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
