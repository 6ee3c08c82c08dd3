import { counter, gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { DeliveryStats, DeliveryStatsStore } from './deliveries.figures.store.ts';
import type { Sender } from './sending/sender.ts';

const INTERVAL_MS = 15_000;

export function deliveryMetrics(sender: Sender, store: DeliveryStatsStore): Metric[] {
  return [...senderMetrics(sender), ...queueMetrics(store)];
}

/** Metrics of this process. */
function senderMetrics(sender: Sender): Metric[] {
  return [
    sender.tries,
    counter(
      { name: 'millpond_deliveries_sent_total', help: 'Events of this process that receivers accepted' },
      () => sender.counts.sent,
    ),
    counter(
      { name: 'millpond_deliveries_failed_tries_total', help: 'Attempts of this process that failed' },
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
      { name: 'millpond_deliveries_in_flight', help: 'Events that this process is sending' },
      () => sender.counts.inFlight,
    ),
    gauge(
      {
        name: 'millpond_deliveries_claim_seconds',
        help: 'Seconds that a claim takes, as the median of recent claims',
      },
      () => sender.counts.claimMs / 1000,
    ),
  ];
}

/** Region-wide: identical in every process. */
function queueMetrics(store: DeliveryStatsStore): Metric[] {
  const read = refreshedValue(() => store.read(), { everyMs: INTERVAL_MS });
  const figure = (name: keyof DeliveryStats) => async () => (await read())?.[name];
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
      { name: 'millpond_deliveries_due', help: 'Events of the region that are due and have no sender' },
      figure('due'),
    ),
    gauge(
      {
        name: 'millpond_deliveries_late_seconds',
        help: 'How long the oldest due event of the region has been due',
      },
      figure('lateSeconds'),
    ),
    gauge(
      {
        name: 'millpond_deliveries_undelivered',
        help: 'Deliveries of the region that are no longer sent, or only on request',
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
