/** Lifecycle rules at work on objects. */
export { createLifecycle } from './create.ts';
