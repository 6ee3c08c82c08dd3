import { publishRtmp, type ServerProcess } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodedSeconds, recordedSeconds, SOON, useLive } from '../support/live/live.ts';
import { useReceiver } from '../support/receivers/receiver.ts';

const receiver = useReceiver();
const live = useLive({
  isApart: true,
  updateInterval: '1s',
  settings: { MILLPOND_LIVE_LEASE: '2s', MILLPOND_LIVE_RECONCILE_EVERY: '1s' },
});
let owner: ServerProcess;
beforeAll(async () => {
  owner = await live.startOwner();
});

const states = (events: readonly Readonly<Record<string, unknown>>[]) =>
  events.map(({ streamState }) => streamState);

/** How often the engine called somebody who was not there. */
const inVain = async () => (await live.engine.errors()).split('Connection refused').length - 1;

describe('our own restart', () => {
  test('cuts no stream and tells nobody offline, though nobody is let in meanwhile [live-ns-03 live-rule-10]', async () => {
    const ns = await live.namespace(receiver, { offlineDelay: 2 });
    const [stays, goes, late] = [
      await live.stream(ns, 'stays'),
      await live.stream(ns, 'goes'),
      await live.stream(ns, 'late'),
    ];
    const staying = await publishRtmp(stays);
    const going = await publishRtmp(goes);
    await expect.poll(() => ns.events('stream'), SOON).toHaveLength(2);
    let isCut = false;
    void staying.closed.then(() => {
      isCut = true;
    });
    await Promise.all([live.server.kill('SIGKILL'), owner.kill('SIGKILL')]);
    // Several updates of the engine find nobody: any failed answer would make it drop the publisher.
    const before = await inVain();
    await expect.poll(inVain, SOON).toBeGreaterThan(before + 5);
    expect((await publishRtmp(late)).accepted).toBe(false);
    going.close();
    await going.closed;
    await live.restart();
    owner = await live.startOwner();
    const of = (streamId: string) => ns.events('stream').filter((event) => event.streamId === streamId);
    await expect.poll(() => states(of('goes')), SOON).toEqual([1, 0]);
    expect(isCut).toBe(false);
    expect(states(of('stays'))).toEqual([1]);
    const lateAtLast = await publishRtmp(late);
    expect(lateAtLast.accepted).toBe(true);
    lateAtLast.close();
    staying.close();
    await expect.poll(() => states(of('stays')), SOON).toEqual([1, 0]);
  });

  test('of the owner of an engine: another process takes over, and does not work beside it [live-rule-11 live-rule-12]', async () => {
    const ns = await live.namespace(receiver, { offlineDelay: 0 });
    const url = await live.stream(ns, 'handed-on');
    const next = await live.startOwner();
    const first = await publishRtmp(url);
    await expect.poll(() => states(ns.events()), SOON).toEqual([1]);
    first.close();
    await expect.poll(() => states(ns.events()), SOON).toEqual([1, 0]);
    const second = await publishRtmp(url);
    await expect.poll(() => states(ns.events()), SOON).toEqual([1, 0, 1]);
    await owner.kill('SIGKILL');
    second.close();
    await expect.poll(() => states(ns.events()), SOON).toEqual([1, 0, 1, 0]);
    owner = next;
  });
});

describe('an engine that is killed', () => {
  test('sends no hook: its streams are told offline, its half recording is kept, and they come back [live-rule-11]', async () => {
    const recordTemplateId = await live.template({ recordType: 1 });
    const ns = await live.namespace(receiver, { recordTemplateId });
    const url = await live.stream(ns, 'survivor');
    const publisher = live.publish(url);
    await expect.poll(() => states(ns.events('stream')), SOON).toEqual([1]);
    await expect.poll(() => recordedSeconds(live, ns), SOON).toBeGreaterThan(2);
    await live.engine.kill();
    await publisher.ended;
    await live.engine.start();
    await expect.poll(() => states(ns.events('stream')), SOON).toEqual([1, 0]);
    await expect.poll(() => ns.events('record').at(-1)?.code, SOON).toBe(0);
    const fname = ns.events('record').at(-1)?.fname;
    expect(await decodedSeconds(`${live.url}/${live.bucket}/${String(fname)}`)).toBeGreaterThan(1);
    const again = await publishRtmp(url);
    expect(again.accepted).toBe(true);
    await expect.poll(() => states(ns.events('stream')), SOON).toEqual([1, 0, 1]);
    again.close();
    await expect.poll(() => states(ns.events('stream')), SOON).toEqual([1, 0, 1, 0]);
  });
});
