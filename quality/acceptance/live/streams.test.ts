import { createServer } from 'node:http';
import { publishRtmp } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { SOON, useLive } from '../support/live/live.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
const live = useLive();

/** Whether the engine lets a publisher in. */
async function letsIn(url: string): Promise<boolean> {
  const publisher = await publishRtmp(url);
  publisher.close();
  await publisher.closed;
  return publisher.accepted;
}

describe('a stream that is published', () => {
  test('is told online at once and offline after its delay, in exactly the fields of the interface [live-01 live-02 live-03 live-04 live-05 live-06 live-stream-01 live-stream-02 live-stream-03 live-stream-04 live-rule-02 live-rule-07]', async () => {
    const offlineDelay = 2;
    const ns = await live.namespace(receiver, { offlineDelay });
    const began = Math.floor(Date.now() / 1000);
    const publisher = await publishRtmp(await live.stream(ns, 'gate'));
    await expect.poll(() => ns.events(), SOON).toHaveLength(1);
    expect(await live.did('GET', `/namespaces/${ns.id}/streams/gate`)).toMatchObject({ status: true });
    const figures = () => live.did('GET', `/namespaces/${ns.id}/streams/gate/figures`);
    await expect.poll(figures, SOON).toMatchObject({ now: { bitrate: expect.any(Number) }, minutes: [] });
    publisher.close();
    const went = Math.floor(Date.now() / 1000);
    await expect.poll(() => ns.events(), SOON).toHaveLength(2);
    const [online, offline] = ns.events();
    const fields = {
      type: 'stream',
      nsId: ns.id,
      streamId: 'gate',
      timeSec: expect.any(Number),
      reqId: expect.any(String),
    };
    expect(online).toEqual({ ...fields, streamState: 1 });
    expect(offline).toEqual({ ...fields, streamState: 0 });
    expect(online?.reqId).not.toBe(offline?.reqId);
    for (const event of ns.events()) expect(String(event.timeSec)).toMatch(/^\d{10}$/);
    expect(online?.timeSec).toBeGreaterThanOrEqual(began);
    // The time of the change, not of telling, which came later by the delay.
    expect(offline?.timeSec).toBeGreaterThanOrEqual(went);
    expect(offline?.timeSec).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) - offlineDelay);
    expect(await live.did('GET', `/namespaces/${ns.id}/streams/gate`)).toMatchObject({ status: false });
    const { items } = await live.did<{ items: object[] }>(
      'GET',
      `/namespaces/${ns.id}/streams/gate/pubhistories`,
    );
    expect(items).toHaveLength(1);
  });

  test('is not told offline when it is back within the delay, and its events alternate [live-rule-08 live-rule-11]', async () => {
    const ns = await live.namespace(receiver, { offlineDelay: 60 });
    const url = await live.stream(ns, 'flapping');
    for (let again = 0; again < 3; again++) expect(await letsIn(url)).toBe(true);
    const last = await publishRtmp(url);
    // A namespace whose delay is none takes effect for what is gone from now on.
    await live.did('PATCH', `/namespaces/${ns.id}`, {
      operations: [{ op: 'replace', key: 'offlineDelay', value: 0 }],
    });
    last.close();
    await expect.poll(() => ns.events().at(-1)?.streamState, SOON).toBe(0);
    expect(ns.events().map(({ streamState }) => streamState)).toEqual([1, 0]);
  });

  test('tells nobody where its namespace has no callback [live-07]', async () => {
    const ns = await live.namespace(receiver, { offlineDelay: 0, callback: '' });
    expect(await letsIn(await live.stream(ns, 'silent'))).toBe(true);
    const path = `/namespaces/${ns.id}/streams/silent`;
    await expect.poll(async () => (await live.did(`GET`, path)).status, SOON).toBe(false);
    expect(await live.did('GET', `${path}/pubhistories`)).toMatchObject({
      items: [{ clientIp: '127.0.0.1' }],
    });
    expect(ns.events()).toEqual([]);
  });

  test('tells the same event with the same id until it is taken [live-rule-03]', async () => {
    const seen: string[] = [];
    const stubborn = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => response.writeHead(seen.push(body) < 3 ? 500 : 200).end());
    }).listen(0, '127.0.0.1');
    try {
      await expect.poll(() => stubborn.listening, SOON).toBe(true);
      const address = stubborn.address();
      const port = typeof address === 'object' ? address?.port : 0;
      // Without a scheme it is http.
      const ns = await live.namespace(receiver, { callback: `127.0.0.1:${port}/hook`, offlineDelay: 60 });
      const publisher = await publishRtmp(await live.stream(ns, 'again'));
      await expect.poll(() => seen.length, SOON).toBeGreaterThanOrEqual(3);
      publisher.close();
      expect(new Set(seen.slice(0, 3)).size).toBe(1);
      expect(JSON.parse(seen[0] ?? '')).toMatchObject({ streamState: 1, reqId: expect.any(String) });
    } finally {
      stubborn.close();
      stubborn.closeAllConnections();
    }
  });
});

describe('a stream that is online without anything to play', () => {
  test('is told as starting by calls, lists, its playlist and the command, until its first segment is there [live-start-01 live-start-02]', async () => {
    const ns = await live.namespace(receiver, { offlineDelay: 0 });
    const url = await live.stream(ns, 'slow');
    const path = `/namespaces/${ns.id}/streams`;
    const state = async () => {
      const one = await live.did<{ status: boolean; starting: boolean }>('GET', `${path}/slow`);
      const { items } = await live.did<{ items: (typeof one)[] }>('GET', path);
      expect(items[0]).toMatchObject({ status: one.status, starting: one.starting });
      return [one.status, one.starting];
    };
    const { playUrls } = await live.did<{ playUrls: { hls: string } }>('POST', `${path}/slow/urls`, {});
    const played = async () => {
      const answer = await fetch(playUrls.hls);
      return [answer.status, answer.headers.get('retry-after'), (await answer.text()).slice(0, 90)];
    };
    const OFFLINE = [612, null, expect.stringContaining('the stream is offline')];
    const listed = async () => {
      const printed = await live.deployment.run('live', 'streams', ns.id, '--json');
      return JSON.parse(printed) as { online: boolean; starting: boolean };
    };
    expect([await state(), await played()]).toEqual([[false, false], OFFLINE]);
    // It publishes, and sends nothing.
    const silent = await publishRtmp(url);
    await expect.poll(state, SOON).toEqual([true, true]);
    await expect
      .poll(played, SOON)
      .toEqual([404, '1', expect.stringContaining('the stream is online, starting')]);
    expect(await listed()).toMatchObject({ online: true, starting: true });
    silent.close();
    await expect.poll(state, SOON).toEqual([false, false]);
    const publisher = live.publish(url);
    await expect.poll(state, SOON).toEqual([true, false]);
    expect(await played()).toEqual([200, null, expect.stringContaining('#EXTM3U')]);
    expect(await listed()).toMatchObject({ online: true, starting: false });
    await publisher.stop();
    await expect.poll(state, SOON).toEqual([false, false]);
  });
});

describe('publishing', () => {
  test('needs the key of the stream [live-ns-03]', async () => {
    const ns = await live.namespace(receiver);
    const url = await live.stream(ns, 'one');
    const bare = url.replace(/\?.*/, '');
    expect(await letsIn(bare)).toBe(false);
    expect(await letsIn(`${bare}?key=wrong`)).toBe(false);
    expect(await letsIn(url.replace('_one?', '_two?'))).toBe(false);
    expect(await letsIn(`${live.engine.rtmpUrl}/nothing?key=a`)).toBe(false);
    expect(await letsIn(url)).toBe(true);
    const { key } = await live.did<{ key: string }>('POST', `/namespaces/${ns.id}/streams/one/key`);
    expect(await letsIn(url)).toBe(false);
    expect(await letsIn(`${bare}?key=${key}`)).toBe(true);
    // The engine knows every key that it was shown, and writes none down.
    expect(await live.engine.errors()).not.toContain(key);
  });

  test('onto another stream by arguments that repeat the engine’s own fields is refused [live-ns-03]', async () => {
    const ns = await live.namespace(receiver);
    const mine = await live.stream(ns, 'mine');
    const victim = (await live.stream(ns, 'victim')).replace(/\?.*/, '');
    const key = new URL(mine.replace(/^rtmp:/, 'http:')).searchParams.get('key');
    const name = `${ns.id}_mine`;
    expect(await letsIn(`${victim}?key=${key}&name=${name}`)).toBe(false);
    expect(await letsIn(`${victim}?name=${name}&key=${key}&call=update_publish&clientid=1`)).toBe(false);
    expect(ns.events().filter(({ streamId }) => streamId === 'victim')).toEqual([]);
  });

  test('by a token that ends, where the namespace asks for one [live-ns-03]', async () => {
    const ns = await live.namespace(receiver, { rtmpUrlType: 2 });
    const url = await live.stream(ns, 'brief');
    expect(await letsIn(url)).toBe(true);
    const { key } = await live.did<{ key: string }>('GET', `/namespaces/${ns.id}/streams/brief`);
    expect(await letsIn(url.replace(/\?.*/, `?key=${key}`))).toBe(false);
    expect(await letsIn(url.replace(/e=\d+/, 'e=1000000000'))).toBe(false);
    expect(await letsIn(url.replace(/token=.*/, 'token=x'))).toBe(false);
  });

  test('a disabled stream, or one of a disabled namespace, is refused and whoever publishes it is sent away [live-ns-02]', async () => {
    const ns = await live.namespace(receiver);
    const url = await live.stream(ns, 'off');
    const path = `/namespaces/${ns.id}/streams/off`;
    const publisher = await publishRtmp(url);
    expect(publisher.accepted).toBe(true);
    await live.did('POST', `${path}/disabled`);
    await publisher.closed;
    expect(await letsIn(url)).toBe(false);
    await live.did('POST', `${path}/enabled`);
    const again = await publishRtmp(url);
    expect(again.accepted).toBe(true);
    await live.did('POST', `${path}/stop`);
    await again.closed;
    const last = await publishRtmp(url);
    expect(last.accepted).toBe(true);
    await live.did('POST', `/namespaces/${ns.id}/disabled`);
    await last.closed;
    expect(await letsIn(url)).toBe(false);
  });

  test('hooks without the engine’s secret are refused', async () => {
    const ns = await live.namespace(receiver);
    const url = await live.stream(ns, 'forged');
    const key = new URL(url.replace(/^rtmp:/, 'http:')).searchParams.get('key') ?? '';
    const body = new URLSearchParams({ call: 'publish', clientid: '7', name: `${ns.id}_forged`, key });
    for (const secret of [undefined, 'wrong']) {
      const answer = await fetch(`${live.url}/v1/hooks/main`, {
        method: 'POST',
        body,
        headers: { 'x-live-boot': '1', ...(secret === undefined ? {} : { 'x-live-secret': secret }) },
      });
      expect(answer.status).toBe(401);
    }
    expect(ns.events()).toEqual([]);
  });
});

describe('namespaces and streams', () => {
  test('are made, read, changed, listed and deleted with credentials [live-ns-01 live-ns-02]', async () => {
    const ns = await live.namespace(receiver, { desc: 'first' });
    const path = `/namespaces/${ns.id}`;
    expect(ns.id).toMatch(/^[a-z][a-z0-9]{11}$/);
    const changed = await live.did('PATCH', path, {
      operations: [
        { op: 'replace', key: 'desc', value: 'second' },
        { op: 'delete', key: 'offlineDelay' },
      ],
    });
    expect(changed).toMatchObject({ id: ns.id, desc: 'second', offlineDelay: 5, accessType: 'rtmp' });
    expect(await live.did('GET', path)).toEqual(changed);
    for (const streamId of ['a', 'b']) await live.stream(ns, streamId);
    const page = await live.did<{ items: { streamId: string }[]; total: number }>(
      'GET',
      `${path}/streams?line=1&sortBy=asc:createdAt&qtype=2`,
    );
    expect(page).toMatchObject({ total: 2, items: [{ streamId: 'a', status: false, nsId: ns.id }] });
    const list = await live.did<{ items: { id: string }[] }>('GET', '/namespaces?line=1000');
    expect(list.items.map(({ id }) => id)).toContain(ns.id);
    expect((await live.call('DELETE', path)).status).toBe(403);
    for (const streamId of ['a', 'b']) await live.did('DELETE', `${path}/streams/${streamId}`);
    await live.did('DELETE', path);
    expect((await live.call('GET', path)).status).toBe(612);
    expect((await fetch(`${live.url}/v1/namespaces`)).status).toBe(401);
  });

  test.each([
    ['a name that is none', { name: 'a b' }],
    ['no name', { name: '' }],
    ['a delay that is too long', { name: 'n', offlineDelay: 61 }],
    ['a callback that nothing could be sent to', { name: 'n', callback: 'ftp://example.com/' }],
    ['a template that is not there', { name: 'n', recordTemplateId: 'abc' }],
  ])('%s is refused', async (_what, body) => {
    expect((await live.call('POST', '/namespaces', body)).status).toBe(400);
  });

  test('a template of another account’s bucket is refused', async () => {
    const body = { name: 'foreign', bucket: target.account.email.split('@')[0], recordType: 1 };
    expect((await live.call('POST', '/templates', body)).status).toBe(631);
  });
});

// The last: whoever has been refused is not believed again at once.
describe('a disabled account', () => {
  test('is let in nowhere with what its streams have, and whoever publishes for it is sent away, until it is enabled', async () => {
    const ns = await live.namespace(receiver);
    const url = await live.stream(ns, 'theirs');
    const path = `/namespaces/${ns.id}/streams/theirs`;
    const { key } = await live.did<{ key: string }>('GET', path);
    const { playUrls } = await live.did<{ playUrls: { hls: string } }>('POST', `${path}/urls`);
    const played = async () => (await fetch(playUrls.hls)).status;
    const hook = async (call: string) => {
      const fields = { app: 'live', addr: '127.0.0.1', clientid: '7', name: `${ns.id}_theirs`, key };
      const answer = await fetch(`${live.url}/v1/hooks/main`, {
        method: 'POST',
        body: new URLSearchParams({ call, ...fields }),
        headers: {
          'x-live-boot': '1',
          'x-live-secret': live.engine.settings.MILLPOND_LIVE_HOOK_SECRET ?? '',
        },
      });
      return answer.status;
    };
    const calls = async () => [await hook('publish'), await hook('update_publish')];
    expect(await calls()).toEqual([200, 200]);
    expect(await played()).not.toBe(401);
    const publisher = await publishRtmp(url);
    expect(publisher.accepted).toBe(true);
    await live.deployment.run('account', 'disable', live.account.email);
    await publisher.closed;
    await expect.poll(calls, SOON).toEqual([403, 403]);
    expect([await played(), await letsIn(url)]).toEqual([401, false]);
    await expect.poll(() => ns.events().at(-1)?.streamState, SOON).toBe(0);
    await live.deployment.run('account', 'enable', live.account.email);
    await expect.poll(() => letsIn(url), SOON).toBe(true);
    expect(await played()).not.toBe(401);
  }, 180_000);
});
