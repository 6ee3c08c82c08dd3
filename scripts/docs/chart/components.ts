/** What all components of the chart have. */
import { boolean, integer, list, map, object, ref, type Schema, string } from './kinds.ts';

const RESOURCES = { type: 'object', description: 'As in Kubernetes.' };

const PLACE = {
  nodeSelector: map('Which nodes.', string('')),
  tolerations: list('Which taints are tolerated.', { type: 'object' }),
  affinity: { type: 'object', description: 'As in Kubernetes.' },
  priorityClassName: string('The class of priority.'),
};

/** Values of components with a single pod. */
export const SINGLE_POD = { resources: RESOURCES, ...PLACE };

/** Where sandboxed programs keep their files. */
export const SCRATCH = object('Space of a pod for files in work.', {
  size: string('Its size.'),
  volume: boolean(
    '`true`: a volume for each pod, by its storage class; work that fills it fails. `false`: on the disk of the node; a pod that uses more is evicted, with all of its work.',
  ),
  request: string('Of the node’s disk, so much must be free for a pod to be put there; not with `volume`.'),
  storageClassName: string('Of such volumes; empty: the default of the cluster.'),
});

export function component(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return object(description, {
    ...properties,
    settings: ref('settings', 'Settings of these only; stronger than those of all.'),
    resources: RESOURCES,
    terminationGracePeriodSeconds: integer(
      'Of gateways: more than `MILLPOND_DRAIN_DELAY` and `MILLPOND_DRAIN_TIMEOUT` together.',
      1,
    ),
    podAnnotations: map('Annotations of the pods.', string('')),
    ...PLACE,
  });
}

export function scaling(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return object(description, {
    enabled: boolean('Whether their number changes by itself.'),
    minReplicas: integer('At least.', 1),
    maxReplicas: integer('At most.', 1),
    cpu: integer('Percent of the requested processors to aim at.', 1),
    ...properties,
  });
}
