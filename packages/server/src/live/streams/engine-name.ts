/**
 * The name of a stream at an engine: `<nsId>_<streamId>`. Engines know only one level of names. A namespace id holds no
 * `_`, so the first `_` separates the two. Only names that an engine reports are parsed this way, never a publisher's
 * argument.
 */
import { isNamespaceId, isStreamId } from './ids.ts';

export interface StreamAddress {
  readonly nsId: string;
  readonly streamId: string;
}

export function engineName({ nsId, streamId }: StreamAddress): string {
  return `${nsId}_${streamId}`;
}

/** Undefined: not the name of one of our streams. */
export function parseEngineName(name: string): StreamAddress | undefined {
  const at = name.indexOf('_');
  const [nsId, streamId] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)];
  return isNamespaceId(nsId) && isStreamId(streamId) ? { nsId, streamId } : undefined;
}
