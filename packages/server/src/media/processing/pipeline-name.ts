/**
 * The name of a queue on the wire: a pipeline by its name or, as the status record prints it, by `<uid>.<name>`; the
 * queue that all accounts share by `0.default`. A pipeline's own name contains no dot, so nothing is ambiguous.
 */

export const SHARED_QUEUE = '0.default';

export interface QueueName {
  /** The account in the name; undefined if it has none. */
  readonly uid: bigint | undefined;
  /** Undefined: the shared queue. */
  readonly pipeline: string | undefined;
}

export function printQueue(uid: bigint, pipeline: string | null): string {
  return pipeline === null ? SHARED_QUEUE : `${uid}.${pipeline}`;
}

export function parseQueue(text: string): QueueName {
  if (text === SHARED_QUEUE) return { uid: undefined, pipeline: undefined };
  const [, uid, pipeline] = /^([1-9]\d{0,17})\.(.+)$/s.exec(text) ?? [];
  return uid === undefined ? { uid: undefined, pipeline: text } : { uid: BigInt(uid), pipeline };
}

/** The pipeline of this account; undefined: the shared queue. For another account's, returns a name that no pipeline has. */
export function ownPipeline(uid: bigint, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const queue = parseQueue(text);
  return queue.uid === undefined || queue.uid === uid ? queue.pipeline : text;
}
