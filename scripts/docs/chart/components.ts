/** What all components of the chart have. */
import { boolean, integer, list, map, object, ref, type Schema, string } from './kinds.ts';

const PLACEMENT = {
  terminationGracePeriodSeconds: integer(
    'More than `MILLPOND_DRAIN_DELAY` and `MILLPOND_DRAIN_TIMEOUT` together.',
    1,
  ),
  podAnnotations: map('Annotations of the pods.', string('')),
  nodeSelector: map('Which nodes.', string('')),
  tolerations: list('Which taints are tolerated.', { type: 'object' }),
  affinity: {
    type: 'object',
    description: 'Besides an even spread over nodes and zones, which is always asked for.',
  },
  priorityClassName: string('The class of priority.'),
};

export function component(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return object(description, {
    ...properties,
    settings: ref('settings', 'Settings of these only; stronger than those of all.'),
    resources: { type: 'object', description: 'As in Kubernetes.' },
    ...PLACEMENT,
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
