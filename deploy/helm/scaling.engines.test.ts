// @module-tag linux
/** What decides how many workers there are. */
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from './cluster.ts';
import { exampleFile, installChart, renderChart } from './render.ts';

test('workers follow tasks and all other jobs, of this release only', async () => {
  const manifests = await renderChart([exampleFile('three-nodes.yaml')]);
  const scaled = manifests.find(({ kind }) => kind === 'ScaledObject');
  const service = manifests.find(({ metadata }) => metadata.name === 'millpond-metrics');
  const queries = scaled?.spec.triggers.flatMap(
    ({ metadata }: { metadata: { query?: string } }) => metadata.query ?? [],
  );
  const ours = `namespace="millpond",service="${service?.metadata.name}"`;
  expect(queries).toEqual([
    `sum(max by (state) (millpond_tasks{${ours}}))`,
    `sum(max by (queue, state) (millpond_queue_jobs{${ours},queue!~"task|task-.*",state=~"waiting|active"}))`,
  ]);
});

test('an autoscaler by processors alone lets KEDA’s take its place', async () => {
  const manifests = await renderChart([], 'workers.autoscaling.enabled=true');
  const scaler = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
  expect(scaler?.metadata).toMatchObject({ annotations: { 'validations.keda.sh/hpa-ownership': 'false' } });
});

test('a number of pods is in a deployment only if nothing else decides on it', async () => {
  const replicas = async (...sets: readonly string[]) =>
    (await renderChart([], ...sets)).find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'millpond-gateways',
    )?.spec.replicas;
  expect(await replicas('gateways.replicas=5')).toBe(5);
  expect(await replicas('gateways.replicas=5', 'gateways.autoscaling.enabled=true')).toBeUndefined();
});

test('an upgrade that turns autoscaling on keeps the pods that there are, and so does every one after it', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.close());
  const gateways = () => cluster.get('deployments/millpond-gateways')?.spec;
  await installChart(cluster.kubeconfig, 'gateways.replicas=7');
  expect(gateways()).toMatchObject({ replicas: 7 });
  const scaled = ['gateways.autoscaling.enabled=true', 'gateways.autoscaling.minReplicas=4'];
  await installChart(cluster.kubeconfig, ...scaled);
  expect(cluster.get('horizontalpodautoscalers/millpond-gateways')).toBeDefined();
  expect(gateways()).toMatchObject({ replicas: 7 });
  Object.assign(gateways() ?? {}, { replicas: 9 });
  await installChart(cluster.kubeconfig, ...scaled, 'image.tag=next');
  expect(gateways()).toMatchObject({ replicas: 9 });
});
