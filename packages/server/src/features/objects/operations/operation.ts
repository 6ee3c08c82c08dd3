/** One management operation: served at its own path, and by batch. */
export interface Operation {
  /** First segment of the path. */
  readonly name: string;
  /** `segments` are those after the name, still encoded. The answer is JSON; undefined: empty. */
  run(uid: bigint, segments: readonly string[], cancel: AbortSignal): Promise<object | undefined>;
  /** Many at once, in their order, where that is cheaper than one after the other. Each has an outcome of its own. */
  runMany?(uid: bigint, requests: readonly (readonly string[])[], cancel: AbortSignal): Promise<Outcome[]>;
}

export type Outcome = PromiseSettledResult<object | undefined>;
