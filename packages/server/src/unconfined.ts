/** For `millpond dev` alone: see packages/jail/src/sandbox/unconfined.ts. */
export { UnconfinedPermit } from '@millpond/jail/unconfined';
