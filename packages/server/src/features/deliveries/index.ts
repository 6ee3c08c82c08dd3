/** What we send to receivers, and the record of it. */
export { type CallbackResult, type CallbackSigner, Callbacks, KEPT_ANSWER_BYTES } from './callbacks.ts';
export { EndpointStore } from './endpoint-store.ts';
export { QUEUE_SETTINGS, QueueStore } from './queue-store.ts';
export { deliveryJson, endpointJson, recordJson } from './record-json.ts';
export { RecordStore } from './record-store.ts';
export { deliveryRoutes } from './routes.ts';
export { Sender } from './sender.ts';
export { Deliveries, type NewEvent } from './service.ts';
export { SettleStore } from './settle-store.ts';
export { DeliveryStore, type NewDelivery } from './store.ts';
