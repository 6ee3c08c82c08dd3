/** Fetch and prefetch at the `io` host, asynchronous fetches at `api`, mirror sources at `uc`. */
import type { OutboundClient } from '@millpond/outbound';
import {
  decodeBase64Text,
  Fault,
  type ObjectEntry,
  parseEntry,
  parseObjectEntry,
  type RequiredPermission,
} from '@millpond/protocol';
import {
  type Authenticate,
  assertWithinKeyLimits,
  CHECKED_IN_HANDLER,
} from '../../identity/accounts/index.ts';
import {
  emptyResponse,
  jsonResponse,
  queryFields,
  type RequestContext,
  type Route,
  requiredField,
  segmentsOf,
} from '../../platform/web/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { AsyncFetches } from './async-fetches.ts';
import { type AsyncRequest, readAsyncRequest } from './async-request.ts';
import type { Fetches } from './fetches.service.ts';
import type { Mirror } from './mirror.ts';
import { parseMirrorSource } from './mirror-source.ts';

export interface FetchRouteDeps {
  readonly fetches: Fetches;
  readonly asyncFetches: AsyncFetches;
  readonly mirror: Mirror;
  readonly buckets: Buckets;
  readonly outbound: OutboundClient;
  readonly authenticate: Authenticate;
  /** Whether calls at the `api` host may come without TLS. */
  readonly plainHttp: boolean;
}

export function fetchRoutes(deps: FetchRouteDeps): Route[] {
  const { fetches, asyncFetches, mirror, buckets, outbound, authenticate } = deps;
  const overTls = (context: RequestContext): void => {
    if (!context.peer.secure && !deps.plainHttp) throw new Fault('httpsRequired');
  };
  return [
    {
      role: 'io',
      methods: ['POST'],
      path: '/fetch/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => fetchPermissions(fetchTarget(context).entry));
        return jsonResponse(await fetches.fetch(uid, fetchTarget(context), context));
      },
    },
    {
      role: 'io',
      methods: ['POST'],
      path: '/prefetch/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => fetchPermissions(prefetchTarget(context)));
        await mirror.prefetch(uid, prefetchTarget(context), context.cancel);
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/image/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: imageTarget(context).bucket,
        }));
        const { bucket, sources, host } = imageTarget(context);
        await buckets.setMirror(uid, bucket, parseMirrorSource(outbound, sources, host));
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/unimage/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: unimageTarget(context),
        }));
        await buckets.setMirror(uid, unimageTarget(context), undefined);
        return emptyResponse();
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/sisyphus/fetch',
      async handle(context) {
        overTls(context);
        const principal = await authenticate(context, () => fetchPermissions(readAsyncRequest(context.body)));
        return jsonResponse(
          await asyncFetches.create(principal, readAsyncRequest(context.body), context.reqid),
        );
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/sisyphus/fetch',
      async handle(context) {
        overTls(context);
        const { uid, key } = await authenticate(context, CHECKED_IN_HANDLER);
        const id = requiredField(queryFields(context), 'id');
        const refuse = (asked: RequiredPermission) => assertWithinKeyLimits(key, asked, context.peer.address);
        return jsonResponse(await asyncFetches.status(uid, id, refuse, context.cancel));
      },
    },
  ];
}

/** What is there is replaced, unless it is to be left alone. Without a key the file is named by its hash, which is not known yet. */
function fetchPermissions({
  bucket,
  key,
  ignoreSameKey = false,
}: Pick<AsyncRequest, 'bucket' | 'key'> & Partial<AsyncRequest>): readonly RequiredPermission[] {
  const actions = ignoreSameKey ? (['write'] as const) : (['write', 'delete'] as const);
  return actions.map((action) => ({ action, bucket, key }));
}

function prefetchTarget(context: RequestContext): ObjectEntry {
  const [entry, ...rest] = segmentsOf(context.target);
  if (entry === undefined || rest.length > 0) throw shape('/prefetch/<EncodedEntryURI>');
  return parseObjectEntry(entry);
}

function unimageTarget(context: RequestContext): string {
  const [bucket, ...rest] = segmentsOf(context.target);
  if (bucket === undefined || rest.length > 0) throw shape('/unimage/<bucket>');
  return bucket;
}

function fetchTarget(context: RequestContext) {
  const [url, to, entry, ...rest] = segmentsOf(context.target);
  if (url === undefined || url === '' || to !== 'to' || entry === undefined)
    throw shape('/fetch/<EncodedURL>/to/<EncodedEntryURI>[/host/<EncodedHost>]');
  return { url: decodeBase64Text(url), entry: parseEntry(entry), host: hostIn(rest) };
}

function imageTarget(context: RequestContext) {
  const [bucket, from, sources, ...rest] = segmentsOf(context.target);
  if (bucket === undefined || from !== 'from' || sources === undefined)
    throw shape('/image/<bucket>/from/<EncodedURL>[/host/<EncodedHost>]');
  return { bucket, sources: decodeBase64Text(sources), host: hostIn(rest) };
}

/** The rest of a path: nothing, or a host. An empty one counts as none. */
function hostIn(rest: readonly string[]): string | undefined {
  if (rest.length === 0) return undefined;
  const [word, encoded, ...more] = rest;
  if (word !== 'host' || encoded === undefined || more.length > 0) throw shape('…[/host/<EncodedHost>]');
  return encoded === '' ? undefined : decodeBase64Text(encoded);
}

function shape(form: string): Fault {
  return new Fault('invalidArgument', { hint: `the path must be ${form}` });
}
