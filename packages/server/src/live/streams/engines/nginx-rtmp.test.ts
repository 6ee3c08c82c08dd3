import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nginxRtmp, nginxRtmpReport } from './nginx-rtmp.ts';

/** Hook calls of a real engine, as it sent them. */
const captured = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'nginx-rtmp-hooks.json'), 'utf8'),
) as { readonly body: string }[];

const reportOf = (body: string, boot = '41') => nginxRtmpReport({ boot, body: Buffer.from(body) });
const base = 'app=live&flashver=x&swfurl=&tcurl=rtmp://h/live&pageurl=&addr=10.0.0.9&clientid=3';

describe('hooks of nginx-rtmp', () => {
  test('that a real engine sent give one report each, by their session', () => {
    const kinds = {
      publish: 'publish',
      update_publish: 'alive',
      publish_done: 'gone',
      record_done: 'recorded',
    };
    for (const { body } of captured) {
      const fields = new URLSearchParams(body);
      const call = fields.get('call') ?? '';
      const report = reportOf(body);
      expect(report?.kind).toBe(kinds[call as keyof typeof kinds]);
      if (report !== undefined && 'client' in report)
        expect(report).toMatchObject({ boot: '41', client: fields.get('clientid') });
    }
    expect(captured.length).toBeGreaterThan(10);
  });

  test('of a publisher hold what it shows', () => {
    expect(reportOf(`${base}&call=publish&name=n_s&type=live&key=k&e=9&token=t`)).toEqual({
      kind: 'publish',
      boot: '41',
      client: '3',
      name: 'n_s',
      address: '10.0.0.9',
      proof: { key: 'k', end: '9', token: 't' },
    });
  });

  test('of a recording name its file without the folder', () => {
    const done = `${base}&call=record_done&recorder=demand&name=n_s&path=/a/b/n_s-demand-20261115T080000.flv`;
    expect(reportOf(done)).toEqual({
      kind: 'recorded',
      name: 'n_s',
      file: 'n_s-demand-20261115T080000.flv',
      recordType: 2,
    });
    expect(reportOf(done.replace('demand&', 'other&'))).toBeUndefined();
  });

  test('tell nothing without a session, a name or a call that is known', () => {
    expect(reportOf(`${base}&call=update_publish&name=n_s`, '')).toBeUndefined();
    expect(reportOf(`${base}&call=update_publish&name=`)).toBeUndefined();
    expect(reportOf(`${base}&call=update_play&name=n_s`)).toBeUndefined();
    expect(reportOf('')).toBeUndefined();
  });

  test('of a publisher without a session or a name let nobody in', () => {
    expect(reportOf(`${base}&call=publish&name=n_s`, '')).toEqual({ kind: 'refused' });
    expect(reportOf(`${base}&call=publish&name=&key=k`)).toEqual({ kind: 'refused' });
    expect(reportOf(`${base.replace('clientid=3', 'clientid=')}&call=publish&name=n_s`)).toEqual({
      kind: 'refused',
    });
  });

  test('of a player let in nobody but the engine’s own push, whatever it says of itself', () => {
    const play = (fields: string) => reportOf(`${fields}&call=play&name=n_s&start=0&duration=0&reset=0`);
    expect(play(base)).toEqual({ kind: 'refused' });
    const like = base.replace('flashver=x', 'flashver=ngx-local-relay');
    expect(play(like)).toEqual({ kind: 'refused' });
    expect(play(`${like}&addr=127.0.0.1:1936/feed`)).toEqual({ kind: 'refused' });
    for (const address of ['::1', 'fe80::1%25eth0', 'unix:'])
      expect(play(base.replace('10.0.0.9', address))).toEqual({ kind: 'refused' });
    expect(play(like.replace('10.0.0.9', '127.0.0.1:1936/feed'))).toBeUndefined();
  });

  test('are never changed by arguments of the publisher, which come after the engine’s fields', () => {
    const names = ['name', 'call', 'clientid', 'addr', 'recorder', 'path', 'app'];
    const more = fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ maxLength: 20 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(more, (pairs) => {
        const own = `${base}&call=publish&name=victim_s&type=live&key=mine`;
        const added = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
        expect(reportOf(`${own}&${added}`)).toEqual(reportOf(own));
      }),
    );
  });

  test('of any bytes are read, or refused where they are no text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          nginxRtmpReport({ boot: '1', body: Buffer.from(bytes) });
        } catch (error) {
          expect(error).toMatchObject({ fault: 'invalidArgument' });
        }
      }),
    );
  });

  test('whose arguments are no text are refused: passed over, they would let the publisher in', () => {
    const hook = Buffer.from(`${base}&call=publish&name=n_s&type=live&key=\xfc`, 'latin1');
    for (const body of [hook, Buffer.from(`${base}&call=publish&name=n_s&type=live&key=%FC`)])
      expect(() => nginxRtmpReport({ boot: '41', body })).toThrow('UTF-8');
  });

  test('are answered by their status', () => {
    expect([nginxRtmp.toStatus(true), nginxRtmp.toStatus(false)]).toEqual([200, 403]);
  });
});
