/** What the addresses of deliveries say besides their path. */

export const STATES = ['waiting', 'failed', 'delivered', 'unsent'] as const;
export type State = (typeof STATES)[number];

export interface DeliveriesSearch {
  readonly endpoint?: string | undefined;
  readonly state?: State | undefined;
  /** The attempt that is open. */
  readonly try?: number | undefined;
}

export function validateSearch(given: Record<string, unknown>): DeliveriesSearch {
  const state = STATES.find((each) => each === given.state);
  return {
    ...(typeof given.endpoint === 'string' && { endpoint: given.endpoint }),
    ...(state !== undefined && { state }),
    ...(typeof given.try === 'number' && { try: given.try }),
  };
}
