/** The schema of the chart's values: what Helm checks them by, and what the page about them is made of. */
import type { SettingGroup } from '@millpond/server';
import { component, SCRATCH, SINGLE_POD, scaling } from './components.ts';
import { boolean, choice, integer, list, map, object, ref, type Schema, string } from './kinds.ts';

export function valuesSchema(groups: readonly SettingGroup[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart millpond',
    ...object('', PROPERTIES),
    definitions: { settings: settingsOf(groups), secrets: secretsOf(groups) },
  };
}

const LABELS = map('Labels to add.', string(''));
const ANNOTATIONS = map('Annotations.', string(''));

const PROPERTIES = {
  // Helm itself passes these to every chart.
  global: { type: 'object', description: 'Not used.' },
  nameOverride: string('Instead of `millpond` in names and labels.'),
  image: object('The images that `npm run image` makes.', {
    repository: string('Of senders and the deploy step, without a tag.'),
    mediaRepository: string('The one with ffmpeg: of workers, gateways and the processes beside engines.'),
    tag: string('Empty: the version of the chart.'),
    pullPolicy: choice('When it is pulled.', 'Always', 'IfNotPresent', 'Never'),
  }),
  imagePullSecrets: list('Secrets of the registry.', object('', { name: string('Its name.') })),
  serviceAccountName: string(
    'The account of all pods, which is made elsewhere; none of them calls Kubernetes.',
  ),
  settings: ref(
    'settings',
    '[Settings](configuration.md) of all processes, by name. Numbers and flags are written in quotes.',
  ),
  secrets: ref(
    'secrets',
    'Secret settings, by name: which Secret holds each, and under which key. They become files.',
  ),
  files: map(
    'Files for settings and database URLs to name, such as certificates: they are at `/etc/millpond/files/<name>`.',
    object('', {
      secret: string('The Secret that has it.'),
      configMap: string('Or the ConfigMap.'),
      key: string('Under which key.'),
    }),
  ),
  trustedAuthorities: string(
    'Which of these files has certificates of your own authorities (PEM), to trust besides the known ones.',
  ),
  gateways: component('Gateways: they answer requests.', {
    replicas: integer('How many, without autoscaling.', 1),
    media: boolean('`false`: the smaller image, without ffmpeg; then the variable `avinfo` has no value.'),
    scratch: SCRATCH,
    autoscaling: scaling('By the load of their processors.', {}),
    service: object('How clients reach them.', {
      type: choice('As in Kubernetes.', 'ClusterIP', 'LoadBalancer', 'NodePort'),
      annotations: ANNOTATIONS,
      loadBalancerSourceRanges: list(
        'From where a load balancer lets clients in; empty: from everywhere.',
        string(''),
      ),
      externalTrafficPolicy: choice(
        '`Local`: gateways see the addresses of clients. `MILLPOND_DRAIN_DELAY` then is 40 s, in which load balancers notice that a node has no gateway any more.',
        '',
        'Cluster',
        'Local',
      ),
    }),
  }),
  workers: component('Workers: media, images of tasks, upkeep.', {
    replicas: integer('How many, without autoscaling.', 0),
    scratch: SCRATCH,
    autoscaling: scaling('By the load of their processors, and by the work that waits.', {
      queue: object('Needs KEDA, Prometheus and `monitoring.serviceMonitor`.', {
        enabled: boolean('Whether work that waits or runs counts too.'),
        prometheus: string('Where Prometheus is: `http://prometheus.monitoring:9090`.'),
        tasksPerWorker: integer('A worker for each of so many tasks.', 1),
        jobsPerWorker: integer(
          'Or for each of so many other jobs: fetches, bulk work, merges, moves between classes.',
          1,
        ),
      }),
    }),
  }),
  senders: component('Senders: events to receivers.', {
    enabled: boolean('`false`: workers send them too.'),
    replicas: integer('How many; one sends thousands a second, the second is for when the first is away.', 1),
  }),
  live: component('Engines of live streams, each with a process beside it that looks after it.', {
    enabled: boolean('Whether there are any.'),
    engines: integer('How many. A stream stays at the engine that its publisher has reached.', 1),
    image: object('nginx with its RTMP module.', {
      repository: string('Where it is, without a tag.'),
      tag: string('Empty: the version of the chart.'),
    }),
    recordInterval: string('Length of a recording before the next one begins.'),
    storage: object('For what is recorded and not stored yet, for each engine.', {
      size: string('Its size.'),
      storageClassName: string('Empty: the default of the cluster.'),
    }),
    service: object('How publishers reach them.', {
      type: choice('As in Kubernetes.', 'ClusterIP', 'LoadBalancer', 'NodePort'),
      annotations: ANNOTATIONS,
    }),
    sip: object('Cameras (GB/T 28181); one engine only.', {
      enabled: boolean('Whether they can register.'),
      address: string('The IP address at which they reach the service.'),
      mediaPorts: object('Where they send their media.', {
        first: integer('The first port.', 1024),
        count: integer('How many; each camera that sends takes two.', 2),
      }),
      service: object('How cameras reach it.', {
        type: choice(
          'As in Kubernetes; not `NodePort`, whose ports are others than those that cameras are told.',
          'ClusterIP',
          'LoadBalancer',
        ),
        annotations: ANNOTATIONS,
      }),
    }),
    engineResources: {
      type: 'object',
      description: 'Of the engine; `resources` are those of the process beside it.',
    },
    scratch: SCRATCH,
  }),
  migrate: object('The deploy step, before each installation and upgrade.', {
    enabled: boolean('`false`: you run `millpond migrate` yourself.'),
    activeDeadlineSeconds: integer('It may take this long; Helm’s own `--timeout` must be longer.', 60),
    ...SINGLE_POD,
  }),
  tls: object('TLS in the gateways themselves, at port 443 of the service.', {
    secretName: string('A Secret of the type `kubernetes.io/tls`. A renewed one is taken without a restart.'),
  }),
  ingress: object('Or a proxy in front. Name it in `MILLPOND_TRUSTED_PROXIES`.', {
    enabled: boolean('Whether there is one.'),
    className: string('Its class.'),
    annotations: ANNOTATIONS,
    hosts: list('Host names that it passes on.', string('')),
    tls: list('Certificates, as in an Ingress.', { type: 'object' }),
  }),
  sandbox: object('For images and media: see [sandbox.md](../sandbox.md).', {
    enabled: boolean(
      '`false`: no images, no processing, no video of cameras; pods then need nothing special.',
    ),
    seccompProfile: object('Of containers that have it: it must let them make namespaces and mount.', {
      type: choice('As in Kubernetes.', 'Unconfined', 'Localhost', 'RuntimeDefault'),
      localhostProfile: string('The file of a `Localhost` profile.'),
    }),
    appArmorProfile: object('Likewise, on nodes with AppArmor.', {
      type: choice('As in Kubernetes.', 'Unconfined', 'Localhost', 'RuntimeDefault'),
      localhostProfile: string('The name of a `Localhost` profile, which the nodes have loaded.'),
    }),
    seLinuxOptions: { type: 'object', description: 'Of the same containers, as in Kubernetes.' },
  }),
  blobs: object('For `MILLPOND_BLOBS=disk`.', {
    claim: string(
      'A volume that all pods share: on one node, or ReadWriteMany. With the sandbox, pods have their own users, which the volume must be able to map: NFS can’t, CephFS since Linux 6.7.',
    ),
  }),
  networkPolicy: object('Who may talk to whom.', {
    enabled: boolean('Whether there are policies; the network must enforce them.'),
    clients: list('Who may reach gateways, as in `from` of a NetworkPolicy; empty: everybody.', {
      type: 'object',
    }),
    monitoring: list('Who else may reach health and metrics.', { type: 'object' }),
    engines: list('Rules of `egress` to PostgreSQL and to the engine for bytes.', { type: 'object' }),
    privateRanges: list(
      'Where calls to users’ URLs never go, of IPv4 and IPv6; `fc00::/7` and `fe80::/10` always belong to it.',
      string(''),
    ),
  }),
  monitoring: object('For Prometheus and Grafana.', {
    serviceMonitor: object(
      'Needs the Prometheus operator, which by kube-prometheus-stack’s defaults takes only those with the label `release: <name of its release>`.',
      {
        enabled: boolean('Whether there is one.'),
        interval: string('How often.'),
        labels: LABELS,
      },
    ),
    probe: object(
      'Addresses that clients use, asked through a blackbox_exporter, whose module is [blackbox.yaml](../../deploy/prometheus/blackbox.yaml): the alerts of addresses and their certificates need it.',
      {
        enabled: boolean('Whether there is one.'),
        prober: string('Where the exporter is: `blackbox-exporter.monitoring:9115`.'),
        targets: list('The addresses: `https://up.example.com`.', string('')),
        labels: LABELS,
      },
    ),
    rules: object('The [alert rules](../../deploy/prometheus/alerts.yaml), for the same operator.', {
      enabled: boolean('Whether there are any.'),
      labels: LABELS,
    }),
    dashboard: object('The [dashboard](../../deploy/grafana/millpond.json), for Grafana’s sidecar.', {
      enabled: boolean('Whether there is one.'),
      labels: LABELS,
    }),
  }),
} satisfies Record<string, Schema>;

function settingsOf(groups: readonly SettingGroup[]): Schema {
  const settings = groups.flatMap((group) => group.settings).filter(({ secret }) => !secret);
  return object('', {
    ...Object.fromEntries(settings.map(({ env, meaning }) => [env, string(meaning)])),
    ...EARLIER,
  });
}

/** Refused by a template, which can say what to do: a schema can't. */
const EARLIER = { MILLPOND_CONSOLE_OPERATORS: string('No longer a setting.') };

function secretsOf(groups: readonly SettingGroup[]): Schema {
  const secrets = groups.flatMap((group) => group.settings).filter(({ secret }) => secret);
  const reference = (meaning: string) => ({
    ...object(meaning, { name: string('The Secret.'), key: string('The key in it.') }),
    required: ['name', 'key'],
  });
  return object('', Object.fromEntries(secrets.map(({ env, meaning }) => [env, reference(meaning)])));
}
