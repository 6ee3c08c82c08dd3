// @module-tag linux
/** Values that Kubernetes would refuse, or that would not do what they say, are refused before anything is installed. */
import { expect, test } from 'vitest';
import { containerOf, containersOf, podsOf, settingsOf } from './pods.ts';
import { LIVE, renderChart, renderWith } from './render.ts';

/** The longest that Helm takes. */
const MAX_RELEASE_LENGTH = 'r'.repeat(53);

test.each([
  [
    ['gateways.service.externalTrafficPolicy=Local'],
    'gateways.service.externalTrafficPolicy is for the types',
  ],
  [
    ['gateways.service.type=NodePort', 'gateways.service.loadBalancerSourceRanges={192.0.2.0/24}'],
    'gateways.service.loadBalancerSourceRanges is for the type LoadBalancer',
  ],
  [
    ['gateways.terminationGracePeriodSeconds=40'],
    '40 must be more than MILLPOND_DRAIN_DELAY (10s) and MILLPOND_DRAIN_TIMEOUT (60s)',
  ],
  [
    ['gateways.settings.MILLPOND_DRAIN_TIMEOUT=2m'],
    '120 must be more than MILLPOND_DRAIN_DELAY (10s) and MILLPOND_DRAIN_TIMEOUT (2m)',
  ],
  [['settings.MILLPOND_DRAIN_DELAY=70000ms'], 'MILLPOND_DRAIN_DELAY (70000ms)'],
  [['ingress.enabled=true'], 'ingress.hosts: the host names'],
  [
    ['gateways.settings.MILLPOND_CONSOLE_OPERATORS=ada@example.com'],
    'settings.MILLPOND_CONSOLE_OPERATORS is no longer a setting',
  ],
  [
    ['settings.MILLPOND_CONSOLE_OPERATORS=ada@example.com'],
    'make each account an operator: kubectl exec deploy/<release>-gateways -- millpond account operator <email>',
  ],
  [
    ['workers.autoscaling.enabled=true', 'workers.autoscaling.minReplicas=11'],
    'workers.autoscaling: minReplicas (11) must not be more than maxReplicas (10)',
  ],
  [['trustedAuthorities=own.pem'], 'trustedAuthorities: files has no own.pem'],
  [
    ['monitoring.probe.enabled=true', 'monitoring.probe.prober=blackbox-exporter:9115'],
    'monitoring.probe needs',
  ],
])('%j', async (sets, text) => {
  await expect(renderChart([], ...sets)).rejects.toThrow(text);
});

test('a grace period that is just long enough is taken', async () => {
  const manifests = await renderChart([], 'gateways.terminationGracePeriodSeconds=71');
  const [pod] = manifests.filter(({ metadata }) => metadata.name === 'millpond-gateways').flatMap(podsOf);
  expect(pod?.spec.terminationGracePeriodSeconds).toBe(71);
});

test('a name that is too long is refused; the longest has room for every suffix', async () => {
  await expect(renderWith({ release: MAX_RELEASE_LENGTH, sets: LIVE })).rejects.toThrow(
    'more than 46 characters',
  );
  const sets = [...LIVE, 'workers.autoscaling.enabled=true', 'nameOverride=mp'];
  const release = `${'r'.repeat(43)}`;
  await expect(renderWith({ release: `${release}r`, sets })).rejects.toThrow('more than 46 characters');
  const manifests = await renderWith({ release, sets });
  for (const { kind, metadata } of manifests) {
    // controller-revision-hash adds 11 to the name of a StatefulSet, KEDA "keda-hpa-" to that of a ScaledObject.
    const most = { StatefulSet: 52, HorizontalPodAutoscaler: 54 }[kind] ?? 63;
    expect([metadata.name, metadata.name.length <= most]).toEqual([metadata.name, true]);
    for (const value of Object.values(metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63);
  }
});

test('ranges of both kinds: each is taken out of the addresses that it belongs to', async () => {
  const manifests = await renderChart(
    [],
    'networkPolicy.enabled=true',
    'networkPolicy.privateRanges={10.0.0.0/8,2001:db8::/32}',
  );
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy');
  expect(policy?.spec.egress.at(-1).to.map(({ ipBlock }: { ipBlock: object }) => ipBlock)).toEqual([
    { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] },
    { cidr: '::/0', except: ['fc00::/7', 'fe80::/10', '2001:db8::/32'] },
  ]);
});

test('every process trusts the authorities of the file that is named', async () => {
  const file = ['files.own\\.pem.configMap=authorities', 'files.own\\.pem.key=ca.crt'];
  const manifests = await renderChart([], ...file, 'trustedAuthorities=own.pem');
  const containers = manifests.flatMap(containersOf);
  expect(containers.length).toBeGreaterThan(4);
  for (const { env, ...container } of containers) {
    expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/millpond/files/own.pem' });
    expect(JSON.stringify(container)).toContain('"mountPath":"/etc/millpond/files"');
  }
});

test('the deploy step goes where its values say, and the doctor where gateways are', async () => {
  const manifests = await renderChart(
    [],
    ...['migrate', 'gateways'].flatMap((each) => [
      `${each}.nodeSelector.pool=${each}`,
      `${each}.tolerations[0].key=${each}`,
      `${each}.priorityClassName=${each}`,
      `${each}.resources.limits.memory=3Gi`,
    ]),
  );
  for (const [name, values] of [
    ['millpond-migrate', 'migrate'],
    ['millpond-doctor', 'gateways'],
  ]) {
    const [pod] = manifests.filter(({ metadata }) => metadata.name === name).flatMap(podsOf);
    expect(pod?.spec).toMatchObject({
      nodeSelector: { pool: values },
      tolerations: [{ key: values }],
      priorityClassName: values,
      containers: [{ resources: { limits: { memory: '3Gi' } } }],
    });
  }
});

test.each([
  [[], ['doctor']],
  [['sandbox.enabled=false'], ['doctor', '--without', 'sandbox']],
  [['gateways.media=false'], ['doctor', '--without', 'media']],
  [
    ['sandbox.enabled=false', 'gateways.media=false'],
    ['doctor', '--without', 'sandbox,media'],
  ],
])('with %j the doctor counts nothing as a fault that is off on purpose', async (sets, args) => {
  const manifests = await renderChart([], ...sets);
  const doctor = containerOf(manifests, 'doctor');
  expect(doctor.args).toEqual(args);
  expect(settingsOf(doctor)).toEqual(settingsOf(containerOf(manifests, 'serve')));
});
