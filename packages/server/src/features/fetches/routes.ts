/** Fetch and prefetch at the `io` host, asynchronous fetches at `api`, mirror sources at `uc`. */
import { decodeBase64Text, Fault, parseEntry, parseObjectEntry } from '@millpond/protocol';
import type { Outbound } from '../../platform/outbound/index.ts';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  neededField,
  queryFields,
  type Route,
  segmentsOf,
} from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { AsyncFetches } from './async-fetches.ts';
import { readAsyncRequest } from './async-request.ts';
import type { Mirror } from './mirror.ts';
import { parseMirrorSource } from './mirror-source.ts';
import type { Fetches } from './service.ts';

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
        const { uid } = await authenticate(call);
        return jsonAnswer(await fetches.fetch(uid, fetchTarget(call), call));
      },
    },
    {
      role: 'io',
      methods: ['POST'],
      path: '/prefetch/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        const [entry, ...rest] = segmentsOf(call.target);
        if (entry === undefined || rest.length > 0) throw shape('/prefetch/<EncodedEntryURI>');
        await mirror.prefetch(uid, parseObjectEntry(entry), call.cancel);
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/image/*',
      async handle(call) {
        const { uid } = await authenticate(call);
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
        const { uid } = await authenticate(call);
        const [bucket, ...rest] = segmentsOf(call.target);
        if (bucket === undefined || rest.length > 0) throw shape('/unimage/<bucket>');
        await buckets.setMirror(uid, bucket, undefined);
        return emptyAnswer();
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/sisyphus/fetch',
      async handle(call) {
        overTls(call);
        const principal = await authenticate(call);
        return jsonAnswer(await asyncFetches.create(principal, readAsyncRequest(call.body), call.reqid));
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/sisyphus/fetch',
      async handle(call) {
        overTls(call);
        const { uid } = await authenticate(call);
        const id = neededField(queryFields(call), 'id');
        return jsonAnswer(await asyncFetches.status(uid, id, call.cancel));
      },
    },
  ];
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
