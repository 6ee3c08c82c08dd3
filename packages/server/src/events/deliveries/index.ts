/** What we send to receivers, and the record of it. */
export { type CallbackResult, type CallbackSigner, type Callbacks, KEPT_ANSWER_BYTES } from './callbacks.ts';
export { createDeliveries, type DeliveriesFeature } from './deliveries.create.ts';
export type { Deliveries } from './deliveries.service.ts';
export type { NewDelivery } from './deliveries.store.ts';
export { deliveryJson, endpointJson, recordJson } from './delivery-json.ts';
export type { NewEvent } from './new-event.ts';
export { QUEUE_SETTINGS } from './sending/delivery-queue.store.ts';
