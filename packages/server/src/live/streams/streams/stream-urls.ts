/** Where a stream is published and played. */
import type { WireRecord } from '@millpond/protocol';
import type { RequestContext } from '../../../platform/web/index.ts';
import { engineName, type StreamAddress } from '../engine-name.ts';
import { streamToken } from './stream-keys.ts';

export interface StreamUrls {
  /** `rtmp://host/live`. */
  readonly rtmp: string;
  /** Undefined: the host that received the call. */
  readonly play: string | undefined;
}

export interface UrlRequest {
  readonly stream: StreamAddress;
  readonly key: string;
  readonly urlType: number;
  /** Unix seconds. */
  readonly end: number;
}

export function urlsOf(
  { rtmp, play }: StreamUrls,
  call: Pick<RequestContext, 'host' | 'peer'>,
  request: UrlRequest,
): WireRecord<'StreamUrls'> {
  const { stream, key, urlType, end } = request;
  const token = (purpose: 'publish' | 'play') => `e=${end}&token=${streamToken(key, purpose, stream, end)}`;
  const proof = urlType === 1 ? `key=${key}` : token('publish');
  const base = play ?? `${call.peer.secure ? 'https' : 'http'}://${call.host}`;
  const { nsId, streamId } = stream;
  return {
    publishUrl: `${rtmp}/${engineName(stream)}?${proof}`,
    playUrls: { hls: `${base}/v1/play/${nsId}/${streamId}/index.m3u8?${token('play')}` },
  };
}
