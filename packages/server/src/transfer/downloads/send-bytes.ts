/** Answers with a range of an object, segment by segment. */
import type { ServerResponse } from 'node:http';
import { BlobNotFoundError, type BlobSink, type BlobStore, readSegments } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import type { SegmentRow } from '../../storage/objects/index.ts';

export interface RangeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly range: { readonly offset: number; readonly length: number };
}

/** Until the engine has answered for the first segment nothing is written, and an error can be answered instead. */
export async function sendBytes(
  blobs: BlobStore,
  segments: readonly SegmentRow[],
  { status, headers, range }: RangeResponse,
  response: ServerResponse,
  cancel: AbortSignal,
): Promise<void> {
  const list = segments.map(({ segment_id, size, place }) => ({ id: segment_id, size: Number(size), place }));
  const writeHead = () => response.writeHead(status, { ...headers, 'content-length': range.length });
  try {
    await readSegments(blobs, list, range, withHead(response, writeHead), cancel);
  } catch (cause) {
    if (cause instanceof BlobNotFoundError)
      throw new Fault('serverFailure', { detail: 'a committed blob is not in the engine', cause });
    throw cause;
  }
  if (!response.headersSent) writeHead();
  response.end();
}

/** The response as a sink, with its head before the first bytes. */
function withHead(response: ServerResponse, writeHead: () => void): BlobSink {
  return {
    write(chunk) {
      if (!response.headersSent) writeHead();
      return response.write(chunk);
    },
    once: (event, listener) => response.once(event, listener),
    get writableLength() {
      return response.writableLength;
    },
  };
}
