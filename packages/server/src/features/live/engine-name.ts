/**
 * How a stream is called at an engine: `<nsId>_<streamId>`. Engines know one level of names; an id of a namespace holds
 * no `_`, so the first one parts the two. Only what an engine says is read so, never an argument of a publisher.
 */
import { isNamespaceId, isStreamId } from './ids.ts';

export interface StreamAddress {
  readonly nsId: string;
  readonly streamId: string;
}

export function engineName({ nsId, streamId }: StreamAddress): string {
  return `${nsId}_${streamId}`;
}

/** Undefined: no stream of ours is called so. */
export function parseEngineName(name: string): StreamAddress | undefined {
  const at = name.indexOf('_');
  const [nsId, streamId] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)];
  return isNamespaceId(nsId) && isStreamId(streamId) ? { nsId, streamId } : undefined;
}
