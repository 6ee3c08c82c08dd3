/**
 * Somebody who may not publish a stream sends red: all at once with the wish to publish, so that it is there before anybody
 * has said no, and again when told so; the one who may publish sends blue. Nothing that the stream leaves may have any red in it.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { coloursOf, type Frame, framesOf, makeVideo, playRtmp, publishRtmp } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SOON, useLive } from '../support/live/live.ts';
import { useReceiver } from '../support/receivers/receiver.ts';

const receiver = useReceiver();
const live = useLive();
let folder = '';
let red: Frame[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-videos-'));
  await Promise.all([makeVideo(video('blue'), 'blue', 4), makeVideo(video('red'), 'red', 4)]);
  red = await framesOf(video('red'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const video = (colour: string) => path.join(folder, `${colour}.flv`);
const objectUrl = (key: unknown) => `${live.url}/${live.bucket}/${String(key)}`;

async function isLetIn(url: string): Promise<boolean> {
  const publisher = await publishRtmp(url, { early: red, late: red });
  publisher.close();
  await publisher.closed;
  return publisher.accepted;
}

/** The addresses of a stream's segments, as a player has them. */
async function segmentsOf(playlist: string): Promise<string[]> {
  const answer = await fetch(playlist);
  const lines = answer.ok ? (await answer.text()).split('\n') : [];
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new URL(line, playlist).href);
}

describe('whoever may not publish a stream', () => {
  test('changes nothing of it: not what is played, recorded or photographed, and it goes on [live-ns-03]', async () => {
    const recordTemplateId = await live.template({ recordType: 1 });
    const snapshotTemplateId = await live.template({ templateType: 1 });
    const ns = await live.namespace(receiver, { recordTemplateId, snapshotTemplateId });
    const url = await live.stream(ns, 'stage');
    const other = await live.stream(ns, 'other');
    const stream = `/namespaces/${ns.id}/streams/stage`;
    const { playUrls } = await live.did<{ playUrls: { hls: string } }>('POST', `${stream}/urls`);
    const bare = url.replace(/\?.*/, '');
    const intruders = [
      bare,
      `${bare}?key=wrong`,
      // The key of another stream, with arguments that look like the engine's own.
      `${bare}?${other.replace(/.*\?/, '')}&name=${ns.id}_other`,
      // A second publisher, though with the key.
      url,
      // No stream at all.
      `${live.engine.rtmpUrl}/${ns.id}_nothing`,
      `${live.engine.rtmpUrl}/nothing?key=a`,
      `${live.engine.rtmpUrl}/?key=a`,
    ];
    const publisher = live.publish(url, undefined, video('blue'));
    await expect.poll(() => segmentsOf(playUrls.hls), SOON).not.toEqual([]);
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const before = await segmentsOf(playUrls.hls);
      expect(await Promise.all(intruders.map(isLetIn))).toEqual(intruders.map(() => false));
      const { fname } = await live.did<{ fname: string }>('POST', `${stream}/snap`);
      const images = () => ns.events('snap').filter((event) => event.fname === fname);
      await expect.poll(images, SOON).toEqual([expect.objectContaining({ code: 0 })]);
      expect([...(await coloursOf(objectUrl(fname)))]).toEqual(['blue']);
      // It goes on: there is a segment that was begun after them.
      const isNewer = async () =>
        (await segmentsOf(playUrls.hls)).filter((each) => !before.includes(each)).length > 1;
      await expect.poll(isNewer, SOON).toBe(true);
      for (const segment of (await segmentsOf(playUrls.hls)).filter((each) => !seen.has(each))) {
        expect([...(await coloursOf(segment))], segment).toEqual(['blue']);
        seen.add(segment);
      }
    }
    expect(seen.size).toBeGreaterThan(3);
    await publisher.stop();
    await expect.poll(() => ns.events('stream').at(-1)?.streamState, SOON).toBe(0);
    await expect.poll(() => ns.events('record'), SOON).toEqual([expect.objectContaining({ code: 0 })]);
    expect([...(await coloursOf(objectUrl(ns.events('record')[0]?.fname)))]).toEqual(['blue']);
    expect(ns.events('stream').map(({ streamState }) => streamState)).toEqual([1, 0]);
    // Nothing is left of them either.
    expect((await readdir(live.engine.hls)).filter((name) => name !== `${ns.id}_stage`)).toEqual([]);
    await expect.poll(() => readdir(live.engine.records), SOON).toEqual([]);
  }, 300_000);

  test('learns nothing by playing it from the engine', async () => {
    const ns = await live.namespace(receiver);
    const url = await live.stream(ns, 'private');
    const publisher = await publishRtmp(url);
    expect(publisher.accepted).toBe(true);
    expect(await playRtmp(url)).toEqual([]);
    expect(await playRtmp(url.replace('_private', '_nothing'))).toEqual([]);
    publisher.close();
  });
});
