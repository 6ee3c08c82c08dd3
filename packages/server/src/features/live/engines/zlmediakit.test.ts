import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zlmediakit, zlmediakitFact } from './zlmediakit.ts';

const server = { mediaServerId: 'zlm-1' };
const factOf = (call: string, body: object) =>
  zlmediakitFact({ call, boot: '', body: Buffer.from(JSON.stringify(body)) });

/** As its documentation shows them. */
const onPublish = {
  ...server,
  app: 'live',
  id: '140186529001776',
  ip: '10.0.17.132',
  params: 'key=1677193e&name=other',
  port: 65_284,
  schema: 'rtmp',
  stream: 'abc_obs',
  vhost: '__defaultVhost__',
};
const onStreamChanged = {
  ...server,
  regist: true,
  aliveSecond: 0,
  app: 'live',
  bytesSpeed: 0,
  createStamp: 1_602_205_811,
  originSock: { identifier: '000001C257D35E40', local_ip: '172.26.20.112', peer_ip: '172.26.20.113' },
  originType: 1,
  schema: 'rtmp',
  stream: 'abc_obs',
  vhost: '__defaultVhost__',
};
const onRecordMp4 = {
  ...server,
  app: 'live',
  file_name: '15-53-02.mp4',
  file_path: '/root/www/record/live/obs/2019-09-20/15-53-02.mp4',
  file_size: 1_913_597,
  start_time: 1_568_965_982,
  stream: 'abc_obs',
  time_len: 11.0,
};

describe('hooks of ZLMediaKit', () => {
  const session = { boot: 'zlm-1', client: 'abc_obs' };

  test('replayed from beginning to end give the life of a stream', () => {
    expect(factOf('on_publish', onPublish)).toEqual({
      kind: 'publish',
      ...session,
      name: 'abc_obs',
      address: '10.0.17.132',
      proof: { key: '1677193e', end: '', token: '' },
    });
    expect(factOf('on_stream_changed', onStreamChanged)).toEqual({
      kind: 'alive',
      ...session,
      name: 'abc_obs',
      address: '172.26.20.113',
    });
    expect(factOf('on_record_mp4', onRecordMp4)).toEqual({
      kind: 'recorded',
      name: 'abc_obs',
      file: '15-53-02.mp4',
      recordType: 1,
    });
    expect(factOf('on_stream_changed', { ...onStreamChanged, regist: false })).toEqual({
      kind: 'gone',
      ...session,
    });
  });

  test('of the other protocols of a stream, and of nobody watching it, tell nothing', () => {
    for (const schema of ['rtsp', 'hls', 'ts', 'fmp4'])
      expect(factOf('on_stream_changed', { ...onStreamChanged, schema })).toBeUndefined();
    expect(factOf('on_stream_none_reader', onStreamChanged)).toBeUndefined();
    expect(factOf('on_publish', { ...onPublish, app: 'other' })).toBeUndefined();
  });

  test('of a server that began tell that nobody of before is there', () => {
    const started = { ...server, 'general.mediaServerId': 'zlm-1', 'api.secret': 'not for us' };
    expect(factOf('on_server_started', started)).toEqual({ kind: 'started', boot: 'zlm-1' });
  });

  test('are answered by a code in 200', () => {
    expect(zlmediakit.answerOf(true)).toEqual({ status: 200, body: { code: 0, msg: 'success' } });
    expect(zlmediakit.answerOf(false).body).toMatchObject({ code: -1 });
  });

  test('that are no JSON, or no text, are refused: passed over, they would let the publisher in', () => {
    const hook = JSON.stringify({ ...onPublish, params: 'key=KEY' });
    for (const body of ['', 'key=1', hook.replace('KEY', '%FC'), hook.replace('KEY', '\\ud800')])
      expect(() => zlmediakitFact({ call: 'on_publish', boot: '', body: Buffer.from(body) })).toThrow(
        'UTF-8',
      );
    const latin1 = Buffer.from(hook.replace('KEY', '\xfc'), 'latin1');
    expect(() => zlmediakitFact({ call: 'on_publish', boot: '', body: latin1 })).toThrow('UTF-8');
  });

  test('of anything are read without a throw', () => {
    const calls = fc.constantFrom('on_publish', 'on_stream_changed', 'on_record_mp4', 'on_server_started');
    fc.assert(
      fc.property(calls, fc.jsonValue(), (call, value) => {
        zlmediakitFact({ call, boot: '', body: Buffer.from(JSON.stringify(value)) });
      }),
    );
  });
});
