/** What we send to receivers, and the record of it. */
export { type CallbackResult, type CallbackSigner, Callbacks, KEPT_ANSWER_BYTES } from './callbacks.ts';
export { EndpointStore } from './endpoint-store.ts';
export { deliveryJson, endpointJson, recordJson } from './record-json.ts';
export { RecordStore } from './record-store.ts';
export { deliveryRoutes } from './routes.ts';
export { QUEUE_SETTINGS, QueueStore } from './sending/queue-store.ts';
export { Sender } from './sending/sender.ts';
export { SettleStore } from './sending/settle-store.ts';
export { Deliveries, type NewEvent } from './service.ts';
export { DeliveryStore, type NewDelivery } from './store.ts';
