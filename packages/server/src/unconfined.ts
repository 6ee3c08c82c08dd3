/** For `millpond dev` alone: see platform/sandbox/unconfined.ts. */
export { UnconfinedPermit } from './platform/sandbox/unconfined-permit.ts';
