/** What we send to receivers, and the record of it. */
export { type CallbackResult, type CallbackSigner, type Callbacks, KEPT_ANSWER_BYTES } from './callbacks.ts';
export { createDeliveries, type DeliveriesFeature } from './create.ts';
export type { NewEvent } from './new-event.ts';
export { deliveryJson, endpointJson, recordJson } from './record-json.ts';
export { QUEUE_SETTINGS } from './sending/queue-store.ts';
export type { Deliveries } from './service.ts';
export type { NewDelivery } from './store.ts';
