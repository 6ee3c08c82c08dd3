/** Builds deliveries: callbacks that an upload waits for, and events with the sender that delivers them. */
import type { Log } from '@millpond/base';
import type { OutboundClient } from '@millpond/outbound';
import type { Dialect } from '@millpond/protocol';
import type { Authenticate, SigningKeys, Tenants, WebhookSecrets } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Feature, HOUR_SECONDS } from '../../platform/feature.ts';
import { Callbacks } from './callbacks.ts';
import { type DeliveryStats, DeliveryStatsStore } from './deliveries.figures.store.ts';
import { deliveryMetrics } from './deliveries.metrics.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import { Deliveries } from './deliveries.service.ts';
import { DeliveryStore } from './deliveries.store.ts';
import { RecordStore } from './delivery-list.store.ts';
import { EndpointStore } from './endpoint.store.ts';
import { EndpointStatsStore } from './endpoint-stats.store.ts';
import { QueueStore } from './sending/delivery-queue.store.ts';
import { OutcomeStore } from './sending/outcome.store.ts';
import { Outcomes } from './sending/outcomes.ts';
import { Sender } from './sending/sender.ts';
import { SettleStore } from './sending/settle.store.ts';

export interface DeliveryDeps {
  readonly region: Database;
  /** The region, on connections that requests can't use up. */
  readonly sending: Database;
  readonly callbackOutbound: OutboundClient;
  readonly eventOutbound: OutboundClient;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly dialect: Dialect;
  readonly secrets: WebhookSecrets;
  readonly signingKeys: SigningKeys;
  readonly tenants: Tenants;
}

/** The settings, by name. */
export interface DeliverySettings {
  /** The dialect's own, unless it is given. */
  readonly callbackSignedBody: Dialect['signedBody'] | undefined;
  readonly deliverySlots: number;
  readonly deliveriesPerEndpoint: number;
  readonly deliveryMemory: number;
  readonly timeFactor: number;
  readonly plainHttp: boolean;
}

export interface DeliveriesFeature extends Feature {
  readonly deliveries: Deliveries;
  readonly callbacks: Callbacks;
  /** Deliveries that others send: written with their cause, and settled. */
  readonly callbackRecords: Pick<DeliveryStore, 'insert' | 'settle'>;
  readonly sender: Sender;
  /** Queue sizes of the whole region. */
  queued(): Promise<DeliveryStats>;
}

/** Days for which tables are created ahead: all workers may be away this long. */
const DAYS_AHEAD = 7;
/** How long deliveries and their attempts are kept. */
const RETENTION_DAYS = 30;

export function createDeliveries(deps: DeliveryDeps, settings: DeliverySettings): DeliveriesFeature {
  const { region, sending, callbackOutbound: outbound, log, secrets, authenticate } = deps;
  const { callbackSignedBody: signedBody = deps.dialect.signedBody, plainHttp } = settings;
  const dialect = { ...deps.dialect, signedBody };
  const store = new DeliveryStore(region);
  const sender = new Sender(
    {
      queue: new QueueStore(sending),
      settle: new SettleStore(sending),
      endpoints: new EndpointStore(sending),
      outcomes: new Outcomes(new OutcomeStore(sending), log),
      tries: { outbound: deps.eventOutbound, secrets, keys: deps.signingKeys, dialect },
      tenants: deps.tenants,
      log,
    },
    {
      slots: settings.deliverySlots,
      perEndpoint: settings.deliveriesPerEndpoint,
      memoryBytes: settings.deliveryMemory,
      timeFactor: settings.timeFactor,
    },
  );
  const figures = new EndpointStatsStore(region);
  const deliveries = new Deliveries({
    region,
    store,
    records: new RecordStore(region),
    endpoints: new EndpointStore(region),
    figures,
    outbound,
    onAdded: () => sender.wake(),
  });
  const queueFigures = new DeliveryStatsStore(sending);
  return {
    deliveries,
    callbacks: new Callbacks({ store, outbound, secrets, tenants: deps.tenants, dialect, log }),
    callbackRecords: store,
    sender,
    routes: deliveryRoutes({ deliveries, authenticate, plainHttp }),
    jobs: [
      {
        name: 'delivery-days',
        everySeconds: HOUR_SECONDS,
        says: 'deliveries of past days dropped',
        async run() {
          await store.ensureDays(DAYS_AHEAD);
          await figures.forget();
          return { dropped: await store.forget(RETENTION_DAYS) };
        },
      },
    ],
    metrics: deliveryMetrics(sender, queueFigures),
    queued: () => queueFigures.read(),
  };
}
