/** Lifecycle rules at work on objects. */
export { Cooling } from './cooling.ts';
export { Lifecycle } from './service.ts';
export { LifecycleStore } from './store.ts';
