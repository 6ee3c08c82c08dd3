import { counter, gauge, type Metric } from '../../platform/metrics.ts';
import { refreshedFigures } from '../../platform/refreshed-figures.ts';
import type { DeliveryFigures, DeliveryFiguresStore } from './figures-store.ts';
import type { Sender } from './sending/sender.ts';

const EVERY_MS = 15_000;

export function deliveryMetrics(sender: Sender, store: DeliveryFiguresStore): Metric[] {
  return [...senderMetrics(sender), ...queueMetrics(store)];
}

/** Of this process. */
function senderMetrics(sender: Sender): Metric[] {
  return [
    sender.tries,
    counter(
      { name: 'millpond_deliveries_sent_total', help: 'Events that receivers took from this process' },
      () => sender.counts.sent,
    ),
    counter(
      { name: 'millpond_deliveries_failed_tries_total', help: 'Tries of this process that failed' },
      () => sender.counts.failed,
    ),
    counter(
      { name: 'millpond_deliveries_suspended_total', help: 'Endpoints that this process suspended' },
      () => sender.counts.suspended,
    ),
    gauge(
      { name: 'millpond_deliveries_held', help: 'Events that this process holds' },
      () => sender.counts.held,
    ),
    gauge(
      { name: 'millpond_deliveries_in_flight', help: 'Events on their way from this process' },
      () => sender.counts.inFlight,
    ),
    gauge(
      {
        name: 'millpond_deliveries_claim_seconds',
        help: 'Seconds that a claim takes, the median of the last ones',
      },
      () => sender.counts.claimMs / 1000,
    ),
  ];
}

/** Of the region: every process reports the same values. */
function queueMetrics(store: DeliveryFiguresStore): Metric[] {
  const read = refreshedFigures(() => store.read(), { everyMs: EVERY_MS });
  const figure = (name: keyof DeliveryFigures) => async () => (await read())?.[name];
  const inbox = async () => {
    const figures = await read();
    return (
      figures &&
      (['unsent', 'failed'] as const).map((state) => ({ labels: { state }, value: figures[state] }))
    );
  };
  return [
    gauge({ name: 'millpond_deliveries_queued', help: 'Events of the region to be sent' }, figure('queued')),
    gauge(
      { name: 'millpond_deliveries_due', help: 'Events of the region that are due and with no sender' },
      figure('due'),
    ),
    gauge(
      {
        name: 'millpond_deliveries_late_seconds',
        help: 'Since when the first of the due events of the region is due',
      },
      figure('lateSeconds'),
    ),
    gauge(
      {
        name: 'millpond_deliveries_undelivered',
        help: 'Deliveries of the region that are no longer sent, or only when asked for',
        labels: ['state'],
      },
      inbox,
    ),
    gauge(
      { name: 'millpond_deliveries_suspended_endpoints', help: 'Endpoints of the region that are suspended' },
      figure('suspended'),
    ),
  ];
}
