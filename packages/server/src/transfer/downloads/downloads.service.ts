/**
 * Downloads: who may read, which object (or what commands make of it), which of its bytes, and three ways to send them:
 * through this process, handed to nginx in front, or by a redirect to the engine.
 */
import type { BlobStore } from '@millpond/blobs';
import {
  type Dialect,
  evaluateIfRange,
  evaluatePreconditions,
  Fault,
  formatContentRange,
  isActiveType,
  isPm3u8,
  parsePm3u8,
  parseRange,
  parseUrlCommands,
  responseHeaderName,
} from '@millpond/protocol';
import type { ImageRequest, ImageResponse, Images } from '../../media/images/index.ts';
import { faultResponse, type HttpResponse, type RequestContext } from '../../platform/web/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import { assertReadable, type ObjectRow, type Objects } from '../../storage/objects/index.ts';
import type { Mirror } from '../fetches/index.ts';
import { type AccessDeps, assertMayRead, checkSignature, isSigned, trustedQuery } from './access.ts';
import { applyCors } from './downloads.cors.ts';
import { canOffload, downloadHeaders, type HeaderOptions, playlistHeaders, validatorsOf } from './headers.ts';
import type { PrivatePlaylists } from './private-playlists.ts';
import { commandsIn, queryValue } from './query.ts';
import { sendBytes } from './send-bytes.ts';

export interface DownloadDeps extends AccessDeps {
  readonly objects: Objects;
  readonly blobs: BlobStore;
  readonly mirror: Mirror;
  readonly images: Images;
  readonly playlists: PrivatePlaylists;
  readonly dialect: Dialect;
  readonly sendBytes: 'stream' | 'nginx' | 'redirect';
  /** Counts requests. */
  readonly onDownload: (bucket: Bucket) => void;
}

/** Long enough to start a transfer, short enough to be useless to anybody who finds it later. */
const HAND_OVER_SECONDS = 300;
/** The location that the shipped nginx configuration serves from the engine. */
const NGINX_LOCATION = '/_millpond_engine';

/** How the bucket was named: by path, by host, or by its own domain. */
export interface DownloadBase {
  readonly ownDomain: boolean;
  /** The path prefix of its objects: `/<bucket>/`, or `/`. */
  readonly root: string;
}

interface Bytes {
  readonly offset: number;
  readonly length: number;
}

export class Downloads {
  readonly #deps: DownloadDeps;

  constructor(deps: DownloadDeps) {
    this.#deps = deps;
  }

  async download(
    context: RequestContext,
    bucket: Bucket,
    key: string,
    options: DownloadBase,
  ): Promise<HttpResponse | undefined> {
    applyCors(context, bucket);
    const query = await trustedQuery(context, { bucket, key }, this.#deps);
    this.#deps.onDownload(bucket);
    const headerOptions: HeaderOptions = {
      reqid: context.reqid,
      metaPrefix: this.#deps.dialect.metaPrefix,
      saveAs: queryValue(query, 'attname'),
      ownDomain: options.ownDomain,
      inConsole: context.session !== undefined,
    };
    const commands = commandsIn(query);
    if (commands !== undefined && isPm3u8(commands))
      return this.#playlist(context, { bucket, key, root: options.root }, headerOptions);
    const imageResponse = await this.#served(context, bucket, key, commands);
    const { row } = imageResponse;
    const headers = downloadHeaders(row, headerOptions);
    const { conditional, ...answer } = this.#judge(context, row, headers);
    if (conditional !== undefined) return conditional;
    if (context.request.method === 'HEAD') {
      context
        .takeOver()
        .writeHead(answer.status, { ...answer.headers, 'content-length': answer.bytes.length })
        .end();
      return undefined;
    }
    const handedOver = imageResponse.bytes ? undefined : this.#handOver(context, row, answer.headers);
    if (handedOver !== undefined) return handedOver;
    await this.#stream(context, imageResponse, answer);
    return undefined;
  }

  /** Made for this request alone and contains signatures: not for caches, conditions and ranges. */
  async #playlist(
    context: RequestContext,
    { bucket, key, root }: { readonly bucket: Bucket; readonly key: string; readonly root: string },
    headerOptions: HeaderOptions,
  ): Promise<HttpResponse> {
    // For a public bucket's URL too, the command must be signed; a session of the owner was let in before.
    const signature =
      context.session === undefined ? await checkSignature(context, { bucket, key }, this.#deps) : undefined;
    const plan = parsePm3u8(commandsIn(signature?.query ?? context.target.query) ?? '');
    const row = readable(await this.#find(bucket, key, context.cancel));
    const body = await this.#deps.playlists.signed({ context, bucket, row, plan, signature, root });
    return { status: 200, headers: playlistHeaders(row, headerOptions), body };
  }

  /** The object itself, the result of the query's commands, or the result of a style named at the end of the key. */
  async #served(
    context: RequestContext,
    bucket: Bucket,
    key: string,
    commands: string | undefined,
  ): Promise<ImageResponse> {
    const { objects, images } = this.#deps;
    const { cancel } = context;
    if (commands !== undefined) {
      const work = parseUrlCommands(commands);
      const isOwners: ImageRequest['isOwners'] = (mark) =>
        isSigned(context, { bucket, key }, this.#deps, mark);
      await images.checkAllowed(bucket, isOwners);
      const row = readable(await this.#find(bucket, key, cancel));
      return images.serve({ bucket, row, work, isOwners, cancel });
    }
    // An object with exactly that key takes precedence over a style.
    const row = await objects.find(bucket, key, cancel);
    if (row !== undefined) return { row: readable(row) };
    const style = await images.styleIn(bucket, key);
    if (style === undefined) return { row: readable(await this.#fill(bucket, key, cancel)) };
    // The key that signed may have to keep to a prefix, which this shorter key need not have.
    await assertMayRead(context, { bucket, key: style.key }, this.#deps);
    const styled = readable(await this.#find(bucket, style.key, cancel));
    return images.serve({ bucket, row: styled, work: style.work, isOwners: async () => true, cancel });
  }

  async #find(bucket: Bucket, key: string, cancel: AbortSignal): Promise<ObjectRow | undefined> {
    return (await this.#deps.objects.find(bucket, key, cancel)) ?? this.#fill(bucket, key, cancel);
  }

  /** An object missing from a mirrored bucket may come from its sources. */
  async #fill(bucket: Bucket, key: string, cancel: AbortSignal): Promise<ObjectRow | undefined> {
    const { objects, mirror } = this.#deps;
    if (bucket.mirror === undefined) return undefined;
    await mirror.fill(bucket, key, cancel);
    return objects.find(bucket, key, cancel);
  }

  #judge(
    context: RequestContext,
    row: ObjectRow,
    headers: Record<string, string>,
  ): { conditional?: HttpResponse; status: number; headers: Record<string, string>; bytes: Bytes } {
    const size = Number(row.fsize);
    const whole = { status: 200, headers, bytes: { offset: 0, length: size } };
    const validators = validatorsOf(row);
    const result = evaluatePreconditions(
      {
        ifMatch: context.header('if-match'),
        ifNoneMatch: context.header('if-none-match'),
        ifModifiedSince: context.header('if-modified-since'),
        ifUnmodifiedSince: context.header('if-unmodified-since'),
      },
      validators,
    );
    if (result === 'notModified') return { ...whole, conditional: { status: 304, headers, body: '' } };
    if (result === 'preconditionFailed') throw new Fault('preconditionFailed');
    if (!evaluateIfRange(context.header('if-range'), validators)) return whole;
    const range = parseRange(context.header('range'), size);
    if (range.kind === 'whole') return whole;
    if (range.kind === 'unsatisfiable') {
      const refusal = faultResponse(new Fault('rangeNotSatisfiable'));
      const sized = { ...refusal.headers, 'content-range': `bytes */${size}` };
      return { ...whole, conditional: { ...refusal, headers: sized } };
    }
    return {
      status: 206,
      headers: { ...headers, 'content-range': formatContentRange(range, size) },
      bytes: { offset: range.first, length: range.last - range.first + 1 },
    };
  }

  /** Undefined if the bytes must pass through here: blobs in parts, and what a redirect could not protect. */
  #handOver(
    context: RequestContext,
    row: ObjectRow,
    headers: Record<string, string>,
  ): HttpResponse | undefined {
    const way = this.#deps.sendBytes;
    if (way === 'stream' || row.segment_count !== 1 || context.header('if-range') !== undefined)
      return undefined;
    // Neither would pass on the headers that keep stored pages from running on the console's origin.
    if (context.session !== undefined) return undefined;
    if (way === 'redirect' && isActiveType(row.mime_type)) return undefined;
    // The engine doesn't know our CORS rules: a page of another origin could not read its answer.
    if (way === 'redirect' && context.header('origin') !== undefined) return undefined;
    // The engine's URL would outlive the window of a restored object.
    if (way === 'redirect' && row.restore_status !== null) return undefined;
    if (!canOffload(row, way)) return undefined;
    // nginx can't pass on headers whose names it doesn't know.
    if (way === 'nginx' && row.meta !== null) return undefined;
    const url = this.#deps.blobs.presign(row.blob_id, {
      expiresSeconds: HAND_OVER_SECONDS,
      ...(way === 'redirect' ? { headers: engineHeaders(headers) } : {}),
    });
    if (url === undefined) return undefined;
    if (way === 'redirect')
      return { status: 302, headers: { location: url, 'cache-control': 'no-store' }, body: '' };
    const { pathname, search } = new URL(url);
    const { 'content-range': _, ...rest } = headers;
    return {
      status: 200,
      headers: { ...rest, 'x-accel-redirect': `${NGINX_LOCATION}${pathname}${search}` },
      body: '',
    };
  }

  async #stream(
    context: RequestContext,
    { row, bytes }: ImageResponse,
    answer: { status: number; headers: Record<string, string>; bytes: Bytes },
  ): Promise<void> {
    const { offset, length } = answer.bytes;
    const segments = bytes === undefined ? await this.#deps.objects.segments(row, context.cancel) : [];
    const response = context.takeOver();
    response.statusCode = answer.status;
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.setHeader('content-length', length);
    try {
      if (bytes === undefined)
        await sendBytes(this.#deps.blobs, segments, answer.bytes, response, context.cancel);
    } catch (error) {
      // An error is sent instead of the object: the object's coding and cache lifetime don't apply to it.
      if (!response.headersSent) for (const name of Object.keys(answer.headers)) response.removeHeader(name);
      throw error;
    }
    response.end(bytes?.subarray(offset, offset + length));
  }
}

/** The download headers that the engine can be asked to send. */
function engineHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || responseHeaderName(name) !== undefined,
  );
  return Object.fromEntries(kept);
}

function readable(row: ObjectRow | undefined): ObjectRow {
  if (row === undefined) throw new Fault('notFound');
  if (row.status !== 0) throw new Fault('objectDisabled');
  assertReadable(row);
  return row;
}
