/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */

/** “Devices at min(end of registration, 3 × heartbeat).” */
export const MISSED_HEARTBEATS = 3;

/** “Offline after the namespace's delay (default 5 s for streams).” */
export const DEFAULT_OFFLINE_DELAY_SECONDS = 5;
