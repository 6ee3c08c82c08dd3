/** What we send to receivers, and the record of it. */
export { type CallbackResult, Callbacks } from './callbacks.ts';
export { DeliveryStore, type NewDelivery } from './store.ts';
