/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */

/** “Closing an account: disabled, buckets emptied after 30 days, then gone.” */
export const CLOSED_ACCOUNT_DAYS = 30;
