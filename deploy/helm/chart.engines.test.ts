// @module-tag linux
/** The chart: its examples are what Kubernetes takes, what our server reads, and what fits together. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, readConfig } from '@millpond/server';
import { finishCommand } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { type Container, containersOf, type NamedResource, podsOf, settingsOf } from './pods.ts';
import { exampleFile, LIVE, lintChart, type Manifest, readManifests, renderChart } from './render.ts';
import { faultsOf } from './schemas.ts';

const INGRESS = [
  'ingress.enabled=true',
  'ingress.hosts={up.example.com,io.example.com}',
  'ingress.className=nginx',
];

const ENGINE = [
  'settings.MILLPOND_S3_ENDPOINT=http://ceph:7480',
  ...['ACCESS', 'SECRET'].flatMap((which) => [
    `secrets.MILLPOND_S3_${which}_KEY.name=millpond`,
    `secrets.MILLPOND_S3_${which}_KEY.key=${which}`,
  ]),
];

/** Files, and single values. */
const CASES: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  'the least that must be given': [[], ENGINE],
  'one node': [['one-node.yaml'], []],
  'three nodes': [['three-nodes.yaml'], []],
  'two regions, west': [['two-regions-west.yaml'], []],
  'two regions, east': [['two-regions-east.yaml'], []],
  'three nodes with live streams, cameras and a proxy': [['three-nodes.yaml'], [...LIVE, ...INGRESS]],
  'without a sandbox': [['three-nodes.yaml'], ['sandbox.enabled=false']],
};

async function render(name: string): Promise<readonly Manifest[]> {
  const [files, sets] = CASES[name] ?? [[], []];
  return renderChart(files.map(exampleFile), ...sets);
}

describe.each(Object.keys(CASES))('%s', (name) => {
  test('Helm and Kubernetes take it', async () => {
    const [files, sets] = CASES[name] ?? [[], []];
    expect(await lintChart(files.map(exampleFile), ...sets)).toBe('');
    expect(await faultsOf(await render(name))).toEqual([]);
  });

  test('every process starts with settings that it can read, by a command that there is', async () => {
    const containers = (await render(name)).flatMap(containersOf).filter(({ name: own }) => own !== 'engine');
    expect(containers.length).toBeGreaterThan(2);
    for (const container of containers) {
      expect([container.name, configFaults(container)]).toEqual([container.name, []]);
      expect(await finishCommand({}, [...container.args, '--help'])).toMatchObject({ code: 0 });
    }
  });

  test('what a part names is there: volumes, ports, pods of a selector, services', async () => {
    const manifests = await render(name);
    for (const pod of manifests.flatMap(podsOf)) {
      const volumes = [...pod.spec.volumes, ...pod.claims].map((volume: NamedResource) => volume.name);
      for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
        for (const mount of container.volumeMounts) expect(volumes).toContain(mount.name);
    }
    const pods = manifests.flatMap(podsOf);
    for (const { kind, metadata, spec } of manifests) {
      const labels = kind === 'Service' ? spec.selector : (spec?.podSelector ?? spec?.selector)?.matchLabels;
      if (labels === undefined || kind === 'ServiceMonitor') continue;
      const chosen = pods.filter((pod) =>
        Object.entries(labels).every(([key, value]) => pod.labels[key] === value),
      );
      expect([kind, metadata.name, chosen.length > 0]).toEqual([kind, metadata.name, true]);
      const named = (kind === 'Service' ? spec.ports : []).map(
        (port: { targetPort: string }) => port.targetPort,
      );
      const open = chosen.flatMap((pod) =>
        pod.spec.containers.flatMap((each: Container) => each.ports ?? []),
      );
      for (const port of named.filter((each: unknown) => typeof each === 'string'))
        expect(open.map((each: NamedResource) => each.name)).toContain(port);
    }
  });

  test('no pod has a privilege, a token of Kubernetes or a root that it can write to', async () => {
    for (const { spec } of (await render(name)).flatMap(podsOf)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      for (const { securityContext } of [...(spec.initContainers ?? []), ...spec.containers])
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });
});

test.each([
  ['settings.MILLPOND_BLOBZ=s3', 'MILLPOND_BLOBZ'],
  ['settings.MILLPOND_MASTER_KEY=k', 'MILLPOND_MASTER_KEY'],
  ['secrets.MILLPOND_BLOBS.name=x', 'MILLPOND_BLOBS'],
  ['gateways.replica=3', 'replica'],
  ['gateways.replicas=0', 'replicas'],
  ['workers.autoscaling.enabled=perhaps', 'workers.autoscaling.enabled'],
])('%s is refused, and it is said what', async (set, named) => {
  expect(await lintChart([], set)).toContain(named);
});

test.each([
  [
    ['workers.autoscaling.enabled=true', 'workers.autoscaling.queue.enabled=true'],
    'workers.autoscaling.queue.prometheus',
  ],
])('%j is refused', async (sets, text) => {
  await expect(renderChart([], ...sets)).rejects.toThrow(text);
});

test('a manifest with a wrong value or an unknown field is found', async () => {
  const [deployment] = (await render('the least that must be given')).filter(
    ({ kind }) => kind === 'Deployment',
  );
  if (deployment === undefined) throw new Error('no deployment');
  const faultsWith = async (change: object) =>
    (await faultsOf([{ ...deployment, spec: { ...deployment.spec, ...change } }])).join('\n');
  expect(await faultsWith({ replicas: 'two' })).toContain('/spec/replicas');
  expect(await faultsWith({ replica: 2 })).toMatch(/known properties, and .*replica/);
});

test('versions of the chart and of what it installs are those of the packages', async () => {
  const root = JSON.parse(await readFile(path.join(import.meta.dirname, '../../package.json'), 'utf8'));
  const [chart] = readManifests(
    await readFile(path.join(import.meta.dirname, 'millpond/Chart.yaml'), 'utf8'),
  );
  expect(chart).toMatchObject({ version: root.version, appVersion: root.version });
});

/** As the server would say them. */
function configFaults(container: Container): readonly string[] {
  try {
    readConfig(settingsOf(container));
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
