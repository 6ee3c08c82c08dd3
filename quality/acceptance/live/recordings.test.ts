import { readdir } from 'node:fs/promises';
import { publishRtmp, signedFetch } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodedSeconds, recordedSeconds, SOON, useLive } from '../support/live/live.ts';
import { type Endpoint, json, useReceiver } from '../support/receivers/receiver.ts';

const receiver = useReceiver();
const live = useLive({
  settings: { MILLPOND_LIVE_PROGRESS_EVENTS: 'true' },
});

/** Events of what lands in the bucket. */
let stored: Endpoint;
beforeAll(async () => {
  stored = receiver.at(json({}));
  const rules = [{ name: 'live', url: stored.url, events: ['created.record', 'created.snapshot'] }];
  const call = { body: JSON.stringify(rules) };
  const answer = await signedFetch(live.url, live.account, `/eventRules/set/${live.bucket}`, call);
  expect(answer.status).toBe(200);
});
const storedKeys = () => stored.requests.map(({ text }) => (JSON.parse(text) as { subject: string }).subject);

const objectUrl = (key: unknown) => `${live.url}/${live.bucket}/${String(key)}`;

describe('a recording', () => {
  test('in real time is told, plays from the bucket and lasts as long as what was sent [live-record-01 live-record-02 live-record-03 live-record-04 live-record-05 live-record-07 live-record-10 live-rule-01 live-rule-04 live-rule-05 live-ns-05 live-ns-06 bucket-17]', async () => {
    const recordTemplateId = await live.template({ recordType: 1, deleteAfterDays: 7 });
    const ns = await live.namespace(receiver, { recordTemplateId });
    const began = Math.floor(Date.now() / 1000);
    await live.publish(await live.stream(ns, 'hall'), 5).ended;
    await expect.poll(() => ns.events('record').at(-1)?.code, SOON).toBe(0);
    const told = ns.events('record');
    expect(told.map(({ code }) => code)).toEqual([1, 2, 0]);
    const done = told.at(-1);
    expect(done).toEqual({
      type: 'record',
      nsId: ns.id,
      streamId: 'hall',
      start: expect.any(Number),
      end: expect.any(Number),
      duration: expect.any(Number),
      fname: expect.stringMatching(new RegExp(`^record/mp4/${ns.id}/hall/\\d{13}-\\d{13}\\.mp4$`)),
      recordType: 1,
      code: 0,
      errmsg: '',
      timeSec: expect.any(Number),
      reqId: expect.any(String),
    });
    await expect.poll(storedKeys, SOON).toContain(done?.fname);
    const [start, end, duration] = [Number(done?.start), Number(done?.end), Number(done?.duration)];
    for (const value of [start, end, duration]) expect(Number.isInteger(value)).toBe(true);
    expect(start).toBeGreaterThanOrEqual(began);
    expect(end - start).toBe(duration);
    expect(Math.abs(duration - 5)).toBeLessThanOrEqual(1);
    expect(Math.abs((await decodedSeconds(objectUrl(done?.fname))) - 5)).toBeLessThanOrEqual(1);

    const path = `/namespaces/${ns.id}/streams/hall`;
    const list = await live.call('GET', `${path}/records/playback.m3u8?start=${start}&end=${end}`);
    expect(list.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
    const segments = (await list.text()).split('\n').filter((line) => line.startsWith('http'));
    expect(segments).toEqual([expect.stringContaining(String(done?.fname))]);
    expect((await live.call('GET', `${path}/records/playback.m3u8?start=1&end=${began - 60}`)).status).toBe(
      612,
    );
    const { items } = await live.did<{ items: { url: string }[] }>('GET', `${path}/recordhistories`);
    expect(items).toEqual([
      expect.objectContaining({ start, type: 1, format: 4, bucket: live.bucket, file: done?.fname }),
    ]);
    expect(await live.did('GET', `${path}/recordhistories?sortBy=desc`)).toMatchObject({
      items: [{ file: done?.fname }],
    });
    // Its address has a token of its own.
    expect((await fetch(items[0]?.url ?? '')).status).toBe(200);
    await live.did('DELETE', `${path}/recordhistories`, { files: [done?.fname] });
    expect((await fetch(objectUrl(done?.fname))).status).toBe(404);
  });

  test('on demand begins and ends by calls [live-record-06]', async () => {
    const recordTemplateId = await live.template({ recordType: 2 });
    const ns = await live.namespace(receiver, { recordTemplateId });
    const url = await live.stream(ns, 'yard');
    const path = `/namespaces/${ns.id}/streams/yard/record`;
    expect((await live.call('POST', `${path}/start`)).status).toBe(612);
    const publisher = live.publish(url);
    await expect.poll(async () => (await live.call('POST', `${path}/start`)).status, SOON).toBe(200);
    await expect.poll(() => recordedSeconds(live, ns), SOON).toBeGreaterThan(2);
    await live.did('POST', `${path}/stop`);
    await expect.poll(() => ns.events('record').at(-1)?.code, SOON).toBe(0);
    await publisher.stop();
    const done = ns.events('record').at(-1);
    expect(done).toMatchObject({ recordType: 2, streamId: 'yard', errmsg: '' });
    expect(await decodedSeconds(objectUrl(done?.fname))).toBeGreaterThan(1);
    // What the engine records all the time is nobody's here.
    expect(ns.events('record').every(({ recordType }) => recordType === 2)).toBe(true);
  });

  test('that can not be kept is told as failed, with the reason [live-record-08 live-record-09]', async () => {
    const bucket = `${live.bucket}-gone`;
    const uc = (path: string) => signedFetch(live.url, live.account, path);
    expect((await uc(`/mkbucketv3/${bucket}/region/z0`)).status).toBe(200);
    const recordTemplateId = await live.template({ recordType: 1, bucket });
    const ns = await live.namespace(receiver, { recordTemplateId });
    const publisher = live.publish(await live.stream(ns, 'lost'), 2);
    expect((await uc(`/drop/${bucket}`)).status).toBe(200);
    await publisher.ended;
    await expect.poll(() => ns.events('record').at(-1)?.code, SOON).toBe(3);
    expect(ns.events('record').at(-1)).toMatchObject({ errmsg: 'no such bucket', fname: '', recordType: 1 });
  });

  test('of 0 bytes, as a refused second publisher leaves it, is dropped without a word', async () => {
    const recordTemplateId = await live.template({ recordType: 1 });
    const ns = await live.namespace(receiver, { recordTemplateId, offlineDelay: 0 });
    const url = await live.stream(ns, 'twice');
    const first = await publishRtmp(url);
    const second = await publishRtmp(url);
    expect([first.accepted, second.accepted]).toEqual([true, false]);
    second.close();
    await second.closed;
    // The end of the second is not the end of the stream.
    const before = ns.events('stream');
    expect(before.every(({ streamState }) => streamState === 1)).toBe(true);
    first.close();
    await expect.poll(() => ns.events('stream').at(-1)?.streamState, SOON).toBe(0);
    expect(ns.events('stream')).toHaveLength(2);
    const left = async () => (await readdir(live.engine.records)).filter((file) => file.includes(ns.id));
    await expect.poll(left, SOON).toEqual([]);
    expect(ns.events('record')).toEqual([]);
  });
});

describe('a snapshot', () => {
  test('on demand and by interval lands in the bucket, and the stream plays with a token only [live-snap-01 live-snap-02 live-snap-03 live-snap-06 live-ns-07 live-ns-08 bucket-17]', async () => {
    const snapshotTemplateId = await live.template({
      templateType: 1,
      snapInterval: 2,
      jpgOverwriteStatus: true,
    });
    const ns = await live.namespace(receiver, { snapshotTemplateId });
    const url = await live.stream(ns, 'door');
    const path = `/namespaces/${ns.id}/streams/door`;
    expect((await live.call('POST', `${path}/snap`)).status).toBe(612);
    const publisher = live.publish(url);
    await expect.poll(() => ns.events('stream'), SOON).toHaveLength(1);
    const { fname } = await live.did<{ fname: string }>('POST', `${path}/snap`);
    const told = (name: string) => ns.events('snap').filter((event) => event.fname === name);
    await expect.poll(() => told(fname).at(-1)?.code, SOON).toBe(0);
    expect(told(fname).map(({ code }) => code)).toEqual([1, 2, 0]);
    expect(told(fname).at(-1)).toEqual({
      type: 'snap',
      nsId: ns.id,
      streamId: 'door',
      fname,
      code: 0,
      errmsg: '',
      timeSec: expect.any(Number),
      reqId: expect.any(String),
    });
    await expect.poll(storedKeys, SOON).toContain(fname);
    const image = await fetch(objectUrl(fname));
    expect(image.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await image.arrayBuffer()).toString('hex', 0, 3)).toBe('ffd8ff');
    const sequence = () =>
      ns
        .events('snap')
        .filter((event) => event.code === 0 && /\/door\/\d{13}\.jpg$/.test(String(event.fname)));
    await expect.poll(() => sequence().length, SOON).toBeGreaterThanOrEqual(2);
    expect((await fetch(objectUrl(sequence()[0]?.fname))).status).toBe(200);
    const overwritten = objectUrl(`snapshot/jpg/${ns.id}/door.jpg`);
    await expect.poll(async () => (await fetch(overwritten)).status, SOON).toBe(200);
    const { items } = await live.did<{ items: object[] }>('GET', `${path}/snapshots`);
    expect(items.length).toBeGreaterThanOrEqual(3);
    const newest = await live.did<{ items: { time: number; bucket: string }[]; marker: string }>(
      'GET',
      `${path}/snapshots?sortBy=desc&line=1`,
    );
    const before = await live.did<{ items: { time: number }[] }>(
      'GET',
      `${path}/snapshots?sortBy=desc&line=1&marker=${newest.marker}`,
    );
    expect(newest.items).toMatchObject([{ bucket: live.bucket }]);
    expect(before.items[0]?.time).toBeLessThanOrEqual(newest.items[0]?.time ?? 0);
    expect(before.items).not.toEqual(newest.items);
    expect((await live.call('GET', `${path}/snapshots?sortBy=newest`)).status).toBe(400);

    const { playUrls } = await live.did<{ playUrls: { hls: string } }>('POST', `${path}/urls`);
    const playlist = await (await fetch(playUrls.hls)).text();
    const segment = playlist.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
    const played = await fetch(new URL(segment, playUrls.hls));
    expect(played.headers.get('content-type')).toBe('video/mp2t');
    expect((await played.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const bare = new URL(segment, playUrls.hls).href.replace(/\?.*/, '');
    for (const refused of [
      bare,
      playUrls.hls.replace(/\?.*/, ''),
      playUrls.hls.replace(/e=\d+/, 'e=1000000000'),
    ])
      expect((await fetch(refused)).status).toBe(401);
    await publisher.stop();
  });

  test('that can not be kept is told as failed, with the reason [live-snap-04 live-snap-05]', async () => {
    const bucket = `${live.bucket}-none`;
    const uc = (path: string) => signedFetch(live.url, live.account, path);
    expect((await uc(`/mkbucketv3/${bucket}/region/z0`)).status).toBe(200);
    const ns = await live.namespace(receiver, {
      snapshotTemplateId: await live.template({ templateType: 1, bucket }),
    });
    const publisher = await publishRtmp(await live.stream(ns, 'blind'));
    expect((await uc(`/drop/${bucket}`)).status).toBe(200);
    await expect.poll(() => ns.events('stream'), SOON).toHaveLength(1);
    const { fname } = await live.did<{ fname: string }>('POST', `/namespaces/${ns.id}/streams/blind/snap`);
    await expect.poll(() => ns.events('snap').at(-1)?.code, SOON).toBe(3);
    publisher.close();
    expect(ns.events('snap').at(-1)).toMatchObject({ fname, errmsg: 'no such bucket' });
  });
});
