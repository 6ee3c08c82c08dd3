/** What the addresses of live say besides their path. */

export interface NamespaceSearch {
  /** Streams whose ids begin so. */
  readonly begins?: string | undefined;
  readonly state?: 'online' | 'offline' | undefined;
  readonly pane?: 'settings' | undefined;
}

export interface StreamSearch extends NamespaceSearch {
  /** The end of the day that is shown, in unix seconds; absent: now. */
  readonly until?: number | undefined;
  /** The chosen part of it, in unix seconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** What plays instead of the live picture: the chosen part, or the recording with this key. */
  readonly play?: string | undefined;
}

export function namespaceSearch(given: Record<string, unknown>): NamespaceSearch {
  const { begins, state, pane } = given;
  return {
    ...(typeof begins === 'string' && begins !== '' && { begins }),
    ...((state === 'online' || state === 'offline') && { state }),
    ...(pane === 'settings' && { pane }),
  };
}

export function streamSearch(given: Record<string, unknown>): StreamSearch {
  const { until, from, to, play } = given;
  return {
    ...namespaceSearch(given),
    ...(isSeconds(until) && { until }),
    ...(isSeconds(from) && isSeconds(to) && from < to && { from, to }),
    ...(typeof play === 'string' && play !== '' && { play }),
  };
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e11;
}
