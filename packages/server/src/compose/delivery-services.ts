/** Builds what tells receivers: callbacks that an upload waits for, and events with the sender that brings them. */
import type { Dialect } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { Authenticate, SigningKeys, WebhookSecrets } from '../features/accounts/index.ts';
import {
  Callbacks,
  Deliveries,
  DeliveryStore,
  deliveryRoutes,
  EndpointStore,
  QueueStore,
  RecordStore,
  Sender,
  SettleStore,
} from '../features/deliveries/index.ts';
import type { Route } from '../platform/web/index.ts';

export interface DeliveryServices {
  readonly deliveries: Deliveries;
  readonly deliveryStore: DeliveryStore;
  readonly sender: Sender;
}

export interface DeliveryServiceParts {
  readonly authenticate: Authenticate;
  readonly dialect: Dialect;
  readonly secrets: WebhookSecrets;
  readonly signingKeys: SigningKeys;
}

export function makeDeliveryServices(
  infra: Infra,
  config: Config,
  { authenticate, dialect, secrets, signingKeys }: DeliveryServiceParts,
): { readonly services: DeliveryServices; readonly callbacks: Callbacks; readonly routes: readonly Route[] } {
  const { region, sending, callbackOutbound: outbound, log } = infra;
  const { callbackSignedBody: signedBody } = config;
  const store = new DeliveryStore(region);
  const sender = new Sender(
    {
      queue: new QueueStore(sending),
      settle: new SettleStore(sending),
      endpoints: new EndpointStore(sending),
      tries: { outbound: infra.eventOutbound, secrets, keys: signingKeys, dialect, signedBody },
      log,
    },
    {
      slots: config.deliverySlots,
      perEndpoint: config.deliveriesPerEndpoint,
      memoryBytes: config.deliveryMemory,
      timeFactor: config.timeFactor,
    },
  );
  const deliveries = new Deliveries({
    store,
    records: new RecordStore(region),
    endpoints: new EndpointStore(region),
    outbound,
    onAdded: () => sender.wake(),
  });
  return {
    services: { deliveries, deliveryStore: store, sender },
    callbacks: new Callbacks({ store, outbound, secrets, dialect, signedBody, log }),
    routes: deliveryRoutes({ deliveries, authenticate, plainHttp: config.plainHttp }),
  };
}
