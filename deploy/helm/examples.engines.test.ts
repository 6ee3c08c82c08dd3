// @module-tag linux
/** What the examples share with the engines, the operators and the monitoring beside them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '@millpond/server';
import { expect, test } from 'vitest';
import { containerOf, podsOf, settingsOf } from './pods.ts';
import { exampleFile, type Manifest, readManifests, renderChart } from './render.ts';
import { faultsOf } from './schemas.ts';

const DEPLOY = path.join(import.meta.dirname, '..');
/** docs/production.md#connections */
const CONNECTIONS = { gateways: 34, workers: 34, senders: 40, command: 6 };
/** Connections of the superuser, and of CloudNativePG itself: its exporter, its instance manager, two standbys. */
const RESERVED = 3 + 10;

async function read(file: string): Promise<readonly Manifest[]> {
  return readManifests(await readFile(exampleFile(file), 'utf8'));
}

function threeNodes(): Promise<readonly Manifest[]> {
  return renderChart([exampleFile('three-nodes.yaml')]);
}

test('what the operators and the values call the same', async () => {
  const [database] = await read('postgres.yaml');
  expect(await faultsOf([...(database ? [database] : []), ...(await read('volume.yaml'))])).toEqual([]);
  const rook = await read('rook.yaml');
  const store = rook.find(({ kind }) => kind === 'CephObjectStore');
  const user = rook.find(({ kind }) => kind === 'CephObjectStoreUser');
  const manifests = await threeNodes();
  const secrets = manifests.flatMap(podsOf).flatMap(({ spec }) => JSON.stringify(spec.volumes));
  expect(secrets[0]).toContain(`rook-ceph-object-user-${store?.metadata.name}-${user?.metadata.name}`);
  expect(secrets[0]).toContain(`${database?.metadata.name}-ca`);
  const { s3Endpoint } = readConfig(settingsOf(containerOf(manifests, 'serve')));
  expect(s3Endpoint).toBe(`http://rook-ceph-rgw-${store?.metadata.name}.${store?.metadata.namespace}.svc`);
});

test('the object store has the class of cold bytes, in a pool that there is', async () => {
  const rook = await read('rook.yaml');
  const pools = rook.filter(({ kind }) => kind === 'CephBlockPool');
  const erasureCoded = pools
    .filter(({ spec }) => 'erasureCoded' in spec)
    .map(({ metadata }) => metadata.name);
  const store = rook.find(({ kind }) => kind === 'CephObjectStore');
  const [placement] = store?.spec.sharedPools.poolPlacements ?? [];
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining([placement.metadataPoolName, placement.dataPoolName]),
  );
  for (const file of ['three-nodes.yaml', 'two-regions-east.yaml', 'two-regions-west.yaml']) {
    const container = containerOf(await renderChart([exampleFile(file)]), 'serve');
    const { s3ColdClass } = readConfig(settingsOf(container));
    expect(placement.storageClasses).toEqual([{ name: s3ColdClass, dataPoolName: erasureCoded[0] }]);
  }
});

test('at their most, and with one more of each during an upgrade, processes fit into the connections of the database', async () => {
  const manifests = await threeNodes();
  const most = (component: 'gateways' | 'workers' | 'senders'): number => {
    const named = manifests.filter(({ metadata }) => metadata.name === `millpond-${component}`);
    const ofKind = (...kinds: readonly string[]) => named.find(({ kind }) => kinds.includes(kind))?.spec;
    const scaling = ofKind('HorizontalPodAutoscaler', 'ScaledObject');
    return scaling?.maxReplicas ?? scaling?.maxReplicaCount ?? ofKind('Deployment')?.replicas;
  };
  const components = ['gateways', 'workers', 'senders'] as const;
  const needed = components.reduce((sum, each) => sum + (most(each) + 1) * CONNECTIONS[each], 0);
  const [database] = await read('postgres.yaml');
  const has = Number(database?.spec.postgresql.parameters.max_connections);
  // The deploy step, and somebody who types a command.
  expect(needed + 2 * CONNECTIONS.command + RESERVED).toBeLessThanOrEqual(has);
  expect(needed).toBeGreaterThan(has / 2);
});

test('the job of what Prometheus scrapes is the one that rules and dashboard ask for', async () => {
  const manifests = await threeNodes();
  const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
  const service = manifests.find(({ metadata }) => metadata.name === 'millpond-metrics');
  const job = service?.metadata.labels?.[monitor?.spec.jobLabel];
  expect(monitor?.spec.selector.matchLabels).toEqual(
    expect.objectContaining({ 'app.kubernetes.io/component': 'metrics' }),
  );
  const probed = manifests.find(({ kind }) => kind === 'Probe')?.spec.jobName;
  for (const file of ['prometheus/alerts.yaml', 'grafana/millpond.json']) {
    const asked = [...(await readFile(path.join(DEPLOY, file), 'utf8')).matchAll(/\bjob=~?\\?"([^"\\]*)/g)];
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked.map(([, name]) => name))).toEqual(new Set([job, probed]));
  }
  for (const kind of ['ServiceMonitor', 'Probe', 'PrometheusRule'])
    expect(manifests.find((each) => each.kind === kind)?.metadata.labels).toMatchObject({
      release: 'kube-prometheus-stack',
    });
});

test.each(['three-nodes.yaml', 'two-regions-east.yaml', 'two-regions-west.yaml'])(
  '%s: a gateway that goes answers until load balancers have noticed',
  async (file) => {
    const manifests = await renderChart([exampleFile(file)]);
    const { drainDelay, drainTimeout } = readConfig(settingsOf(containerOf(manifests, 'serve')));
    const [pod] = manifests.filter(({ metadata }) => metadata.name === 'millpond-gateways').flatMap(podsOf);
    expect(drainDelay).toBe(40_000);
    expect(pod?.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainDelay + drainTimeout);
    // Nodes pass nothing on to a pod whose probe has failed, though it answers.
    const { periodSeconds, failureThreshold } = pod?.spec.containers[0].readinessProbe ?? {};
    expect(periodSeconds * failureThreshold * 1000).toBeGreaterThan(drainDelay);
  },
);
