/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */
// Those of the protocol, which more than one package holds to, are in packages/protocol/src/limits/limits.ts.
export { MAX_OBJECTS_LISTED } from '@millpond/protocol';

/** “Closing an account: disabled, buckets emptied after 30 days, then gone.” */
export const CLOSED_ACCOUNT_DAYS = 30;
