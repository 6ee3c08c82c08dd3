// @module-tag linux
/** Live streams and cameras: all processes have the same settings, and engines go on when a version changes nothing of theirs. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '@millpond/server';
import { expect, onTestFinished, test } from 'vitest';
import { containerOf, podsOf, settingsOf } from './pods.ts';
import { CHART, exampleFile, LIVE, renderChart, renderWith } from './render.ts';

const THREE_NODES = [exampleFile('three-nodes.yaml')];

test('gateways, which answer the calls on cameras, have the settings of the process that receives them', async () => {
  const manifests = await renderChart(THREE_NODES, ...LIVE);
  const devices = (...args: readonly string[]) => {
    const config = readConfig(settingsOf(containerOf(manifests, ...args)));
    return Object.fromEntries(Object.entries(config).filter(([name]) => name.startsWith('sip')));
  };
  expect(devices('serve')).toEqual(devices('work', 'live'));
  expect(devices('doctor')).toEqual(devices('serve'));
  expect(devices('serve')).toMatchObject({
    sipListen: { port: 5060 },
    sipMediaPorts: { first: 30000, last: 30039 },
  });
  // Only the role `live` listens.
  expect(containerOf(manifests, 'serve').args).toEqual(['serve', '--no-work']);
});

test('the engines of gateways are the pods by their names, also for the pod that looks at them', async () => {
  const more = LIVE.filter((set) => !set.startsWith('live.sip'));
  const manifests = await renderChart(THREE_NODES, ...more, 'live.engines=2');
  for (const command of ['serve', 'doctor'])
    expect(readConfig(settingsOf(containerOf(manifests, command))).liveEngines).toMatchObject([
      { id: 'live-0', url: 'http://millpond-live-0.millpond-live:8180/' },
      { id: 'live-1', url: 'http://millpond-live-1.millpond-live:8180/' },
    ]);
});

test.each([
  ['MILLPOND_LIVE_RTMP_URL', 'settings.MILLPOND_LIVE_RTMP_URL: where publishers reach'],
  ['MILLPOND_LIVE_HOOK_SECRET', 'secrets.MILLPOND_LIVE_HOOK_SECRET: what engines'],
  ['live.sip.address', 'live.sip.address: where devices reach'],
])('without %s it is refused', async (without, text) => {
  const sets = LIVE.filter((set) => !set.includes(without));
  await expect(renderChart([], ...sets)).rejects.toThrow(text);
});

test('cameras have one engine', async () => {
  await expect(renderChart([], ...LIVE, 'live.engines=2')).rejects.toThrow('live.sip needs live.engines: 1');
});

test('each of the two services has its own type and annotations; inside the cluster no policy for traffic from outside', async () => {
  const services = async (...sets: readonly string[]) => {
    const found = (await renderChart([], ...LIVE, ...sets)).filter(({ kind }) => kind === 'Service');
    const named = (name: string) => found.find(({ metadata }) => metadata.name === name);
    return { rtmp: named('millpond-rtmp'), sip: named('millpond-sip') };
  };
  const apart = await services('live.service.annotations.a=rtmp', 'live.sip.service.annotations.a=sip');
  expect(apart.rtmp?.metadata).toMatchObject({ annotations: { a: 'rtmp' } });
  expect(apart.sip?.metadata).toMatchObject({ annotations: { a: 'sip' } });
  expect(apart.sip?.spec).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
  const inside = await services('live.sip.service.type=ClusterIP');
  expect(inside.sip?.spec).not.toHaveProperty('externalTrafficPolicy');
  expect(inside.rtmp?.spec.type).toBe('LoadBalancer');
});

test('pods are the same in the next version of the chart, if their images are', async () => {
  const next = await mkdtemp(path.join(tmpdir(), 'mp-next-chart-'));
  onTestFinished(() => rm(next, { recursive: true }));
  await cp(CHART, next, { recursive: true, dereference: true });
  const file = path.join(next, 'Chart.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^(version|appVersion): .*$/gm, '$1: 9.9.9'));
  const pods = async (chart: string) => {
    const sets = [...LIVE, 'image.tag=v1', 'live.image.tag=v1'];
    return (await renderWith({ sets, chart })).filter(({ kind }) => kind !== 'Pod').flatMap(podsOf);
  };
  expect(await pods(next)).toEqual(await pods(CHART));
  expect((await pods(next))[0]?.labels).toMatchObject({ 'app.kubernetes.io/part-of': 'millpond' });
});
