/** Lifecycle rules at work on objects. */
export { type ChangeClass, Lifecycle } from './service.ts';
export { LifecycleStore } from './store.ts';
