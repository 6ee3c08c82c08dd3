/** Fetch and prefetch at the `io` host, asynchronous fetches at `api`, mirror sources at `uc`. */
import type { Outbound } from '@millpond/outbound';
import {
  type AskedOfKey,
  decodeBase64Text,
  Fault,
  type ObjectEntry,
  parseEntry,
  parseObjectEntry,
} from '@millpond/protocol';
import { type Authenticate, judgedLater, refuseBeyondLimits } from '../../identity/accounts/index.ts';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  neededField,
  queryFields,
  type Route,
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
  readonly outbound: Outbound;
  readonly authenticate: Authenticate;
  /** Whether calls at the `api` host may come without TLS. */
  readonly plainHttp: boolean;
}

export function fetchRoutes(deps: FetchRouteDeps): Route[] {
  const { fetches, asyncFetches, mirror, buckets, outbound, authenticate } = deps;
  const overTls = (call: Call): void => {
    if (!call.peer.secure && !deps.plainHttp) throw new Fault('httpsRequired');
  };
  return [
    {
      role: 'io',
      methods: ['POST'],
      path: '/fetch/*',
      async handle(call) {
        const { uid } = await authenticate(call, () => askedToFetch(fetchTarget(call).entry));
        return jsonAnswer(await fetches.fetch(uid, fetchTarget(call), call));
      },
    },
    {
      role: 'io',
      methods: ['POST'],
      path: '/prefetch/*',
      async handle(call) {
        const { uid } = await authenticate(call, () => askedToFetch(prefetchTarget(call)));
        await mirror.prefetch(uid, prefetchTarget(call), call.cancel);
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/image/*',
      async handle(call) {
        const { uid } = await authenticate(call, () => ({
          action: 'administer',
          bucket: imageTarget(call).bucket,
        }));
        const { bucket, sources, host } = imageTarget(call);
        await buckets.setMirror(uid, bucket, parseMirrorSource(outbound, sources, host));
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/unimage/*',
      async handle(call) {
        const { uid } = await authenticate(call, () => ({
          action: 'administer',
          bucket: unimageTarget(call),
        }));
        await buckets.setMirror(uid, unimageTarget(call), undefined);
        return emptyAnswer();
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/sisyphus/fetch',
      async handle(call) {
        overTls(call);
        const principal = await authenticate(call, () => askedToFetch(readAsyncRequest(call.body)));
        return jsonAnswer(await asyncFetches.create(principal, readAsyncRequest(call.body), call.reqid));
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/sisyphus/fetch',
      async handle(call) {
        overTls(call);
        const { uid, key } = await authenticate(call, judgedLater);
        const id = neededField(queryFields(call), 'id');
        const refuse = (asked: AskedOfKey) => refuseBeyondLimits(key, asked, call.peer.address);
        return jsonAnswer(await asyncFetches.status(uid, id, refuse, call.cancel));
      },
    },
  ];
}

/** What is there is replaced, unless it is to be left alone. Without a key the file is named by its hash, which is not known yet. */
function askedToFetch({
  bucket,
  key,
  ignoreSameKey = false,
}: Pick<AsyncRequest, 'bucket' | 'key'> & Partial<AsyncRequest>): readonly AskedOfKey[] {
  const actions = ignoreSameKey ? (['write'] as const) : (['write', 'delete'] as const);
  return actions.map((action) => ({ action, bucket, key }));
}

function prefetchTarget(call: Call): ObjectEntry {
  const [entry, ...rest] = segmentsOf(call.target);
  if (entry === undefined || rest.length > 0) throw shape('/prefetch/<EncodedEntryURI>');
  return parseObjectEntry(entry);
}

function unimageTarget(call: Call): string {
  const [bucket, ...rest] = segmentsOf(call.target);
  if (bucket === undefined || rest.length > 0) throw shape('/unimage/<bucket>');
  return bucket;
}

function fetchTarget(call: Call) {
  const [url, to, entry, ...rest] = segmentsOf(call.target);
  if (url === undefined || url === '' || to !== 'to' || entry === undefined)
    throw shape('/fetch/<EncodedURL>/to/<EncodedEntryURI>[/host/<EncodedHost>]');
  return { url: decodeBase64Text(url), entry: parseEntry(entry), host: hostIn(rest) };
}

function imageTarget(call: Call) {
  const [bucket, from, sources, ...rest] = segmentsOf(call.target);
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
