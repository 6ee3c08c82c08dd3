/** One management operation: served at its own path, and by batch. */
export interface Operation {
  /** First segment of the path. */
  readonly name: string;
  /** `segments` are those after the name, still encoded. The answer is JSON; undefined: empty. */
  run(uid: bigint, segments: readonly string[], cancel: AbortSignal): Promise<object | undefined>;
}
