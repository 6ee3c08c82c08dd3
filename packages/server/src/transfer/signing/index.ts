/** Upload tokens and download URLs that the server signs for callers without a secret key. */
export { createSigning } from './signing.create.ts';
