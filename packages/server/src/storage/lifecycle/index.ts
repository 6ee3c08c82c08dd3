/** Lifecycle rules at work on objects. */
export { createLifecycle } from './lifecycle.create.ts';
