// @module-tag linux
/** What pods get for the sandbox: enough, only those that need it, and only where Kubernetes keeps its side. */
import { readConfig, sandboxNeeds } from '@millpond/server';
import { expect, test } from 'vitest';
import { type Container, containerOf, containersOf, podsOf, settingsOf } from './pods.ts';
import { exampleFile, LIVE, type Manifest, renderChart, renderWith } from './render.ts';

const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };
/** What the server itself may take: as much as the alert about its memory allows. */
const SERVER_BYTES = 2 * 2 ** 30;
const ENGINE = [
  'settings.MILLPOND_S3_ENDPOINT=http://ceph:7480',
  'secrets.MILLPOND_S3_ACCESS_KEY.name=millpond',
  'secrets.MILLPOND_S3_ACCESS_KEY.key=access',
  'secrets.MILLPOND_S3_SECRET_KEY.name=millpond',
  'secrets.MILLPOND_S3_SECRET_KEY.key=secret',
];

test('only pods that make images or run media have their own users, and only with it', async () => {
  const own = async (...sets: readonly string[]) =>
    (await renderChart([exampleFile('three-nodes.yaml')], ...sets))
      .filter(({ kind, spec }) => kind === 'Deployment' && spec.template.spec.hostUsers === false)
      .map(({ metadata }) => metadata.name);
  expect(await own()).toEqual(['millpond-gateways', 'millpond-workers']);
  expect(await own('sandbox.enabled=false')).toEqual([]);
});

test('only containers with a sandbox are without profiles; the engine that the internet reaches is not one', async () => {
  const manifests = await renderChart([], ...ENGINE, ...LIVE);
  for (const { spec } of manifests.flatMap(podsOf))
    expect(spec.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
  const [open, closed] = splitBy(manifests, ({ securityContext }) => 'procMount' in securityContext);
  expect(open.map(({ args }) => args.join(' ')).sort()).toEqual([
    'doctor',
    'serve --no-work',
    'work --only jobs',
    'work --only live',
  ]);
  for (const { securityContext } of open)
    expect(securityContext).toMatchObject({
      procMount: 'Unmasked',
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'Unconfined' },
    });
  expect(closed.map(({ name }) => name)).toContain('engine');
  for (const { securityContext } of closed) {
    expect(securityContext).not.toHaveProperty('seccompProfile');
    expect(securityContext).not.toHaveProperty('appArmorProfile');
  }
});

test('profiles that the nodes have, and options of SELinux', async () => {
  const manifests = await renderChart(
    [],
    'sandbox.appArmorProfile.type=Localhost',
    'sandbox.appArmorProfile.localhostProfile=millpond',
    'sandbox.seLinuxOptions.type=spc_t',
  );
  expect(containerOf(manifests, 'serve').securityContext).toMatchObject({
    appArmorProfile: { type: 'Localhost', localhostProfile: 'millpond' },
    seLinuxOptions: { type: 'spc_t' },
  });
});

test('before Kubernetes 1.33 it is refused with the sandbox, and installed without', async () => {
  for (const kubernetes of ['1.29.0', '1.32.9', 'v1.32.9-gke.100'])
    await expect(renderWith({ kubernetes })).rejects.toThrow(
      /sandbox needs Kubernetes 1\.33.*sandbox\.enabled=false/,
    );
  await expect(renderWith({ kubernetes: '1.28.9' })).rejects.toThrow('incompatible with Kubernetes');
  for (const wishes of [
    { kubernetes: '1.33.0' },
    { kubernetes: 'v1.33.4-gke.100' },
    { kubernetes: '1.32.9', sets: ['sandbox.enabled=false'] },
  ])
    expect((await renderWith(wishes)).length).toBeGreaterThan(5);
});

test('limits of memory cover what the sandbox allows, all at once, and the server', async () => {
  const manifests = await renderChart([], ...ENGINE, ...LIVE);
  const roomOf = (...args: readonly string[]) => {
    const container = containerOf(manifests, ...args);
    const { memoryBytes } = sandboxNeeds(readConfig(settingsOf(container)));
    return { has: bytesOf(container.resources.limits.memory) - SERVER_BYTES, needs: memoryBytes };
  };
  const [gateway, worker, live] = [roomOf('serve'), roomOf('jobs'), roomOf('live')];
  expect(gateway.has).toBeGreaterThanOrEqual(gateway.needs.gateway);
  expect(worker.has).toBeGreaterThanOrEqual(worker.needs.worker);
  expect(live.has).toBeGreaterThanOrEqual(live.needs.live);
  // 20 cameras are a part of it.
  expect(live.needs.live - worker.needs.live).toBe(20 * 256 * 2 ** 20);
});

test('a worker has space for what its tasks may write: on the disk of the node, of which it asks for some, or in a volume of its own', async () => {
  const scratchOf = async (...sets: readonly string[]) => {
    const manifests = await renderChart([], ...ENGINE, ...sets);
    const workers = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'millpond-workers',
    );
    const [container] = workers === undefined ? [] : containersOf(workers);
    if (container === undefined) throw new Error('no workers');
    const { workerDiskBytes } = sandboxNeeds(readConfig(settingsOf(container)));
    const volumes: readonly Manifest[] = workers?.spec.template.spec.volumes;
    const scratch = volumes.find((each: Manifest) => String(each.name) === 'scratch');
    return { container, workerDiskBytes, scratch };
  };
  const onNode = await scratchOf();
  expect(bytesOf(onNode.scratch?.emptyDir.sizeLimit)).toBeGreaterThan(onNode.workerDiskBytes);
  expect(onNode.container.resources).toMatchObject({ requests: { 'ephemeral-storage': '20Gi', cpu: '1' } });
  const own = await scratchOf('workers.scratch.volume=true', 'workers.scratch.storageClassName=fast');
  const claim = own.scratch?.ephemeral.volumeClaimTemplate.spec;
  expect(claim).toMatchObject({ accessModes: ['ReadWriteOnce'], storageClassName: 'fast' });
  expect(bytesOf(claim.resources.requests.storage)).toBeGreaterThan(own.workerDiskBytes);
  expect(JSON.stringify(own.container.resources)).not.toContain('ephemeral-storage');
});

function splitBy(manifests: readonly Manifest[], rule: (container: Container) => boolean) {
  const containers = manifests
    .flatMap(podsOf)
    .flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers] as readonly Container[]);
  return [containers.filter(rule), containers.filter((each) => !rule(each))] as const;
}

function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(\wi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}
