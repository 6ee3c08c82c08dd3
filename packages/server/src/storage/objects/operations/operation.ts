import type { RequiredPermission } from '@millpond/protocol';

/** One management operation: served at its own path and through batch. */
export interface Operation {
  /** First segment of the path. */
  readonly name: string;
  /** What it asks of a limited key; `segments` as below. Refuses what it can't read. */
  permissions(segments: readonly string[]): readonly RequiredPermission[];
  /** `segments` are those after the name, still encoded. The answer is JSON, or empty if undefined. */
  run(uid: bigint, segments: readonly string[], cancel: AbortSignal): Promise<object | undefined>;
  /** Runs many at once, in order, where that is cheaper than one by one. Each has its own outcome. */
  runMany?(uid: bigint, requests: readonly (readonly string[])[], cancel: AbortSignal): Promise<Outcome[]>;
}

export type Outcome = PromiseSettledResult<object | undefined>;
