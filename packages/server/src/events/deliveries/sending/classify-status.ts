/** What an answer means for its delivery and for the lane that it holds; pure functions. */

export type Verdict =
  | { readonly kind: 'delivered' }
  /** Retried later. A refused event is judged separately: the receiver is up, but does not want this event. */
  | { readonly kind: 'retry'; readonly refused: boolean }
  /** Never retried. */
  | { readonly kind: 'gone' };

/** 4xx that are about the moment, not about the event. */
const TRANSIENT_STATUSES = new Set([408, 409, 425, 429]);
/** At this many refusals an event leaves its lane. */
const REFUSALS_IN_LANE = 3;

/** `status` is undefined if there was no answer. */
export function classifyStatus(status: number | undefined): Verdict {
  if (status === undefined) return { kind: 'retry', refused: false };
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  return { kind: 'retry', refused: status >= 400 && status < 500 && !TRANSIENT_STATUSES.has(status) };
}

/** Whether an event leaves its lane, so that those behind it can go on. `refusals`: including this one. */
export function unblocksLane(verdict: Verdict, refusals: number): boolean {
  return verdict.kind === 'retry' && verdict.refused && refusals >= REFUSALS_IN_LANE;
}
