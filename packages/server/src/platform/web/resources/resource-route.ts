/** How calls on resources are declared: a method, a path under `/v1`, and what answers. */
import { Fault } from '@millpond/protocol';
import { emptyResponse, type HttpResponse, jsonResponse, type RequestContext } from '../call.ts';
import type { Route } from '../route.ts';
import { queryFields } from '../web.fields.ts';

interface Caller {
  readonly uid: bigint;
}

/** What a call names and who makes it. The names contain nothing that would need encoding. */
export interface ResourceCall<C extends Caller = Caller> {
  readonly uid: bigint;
  readonly caller: C;
  readonly context: RequestContext;
  readonly query: URLSearchParams;
  /** The path segment at `:name`. */
  readonly name: (name: string) => string;
}

export type ResourceRoute<C extends Caller = Caller> = <Body extends object>(
  method: Route['methods'][number],
  path: string,
  handle: (call: ResourceCall<C>) => Promise<Body | undefined>,
  /** As JSON by default. */
  answer?: (body: Body) => HttpResponse,
) => Route;

export interface ResourceRouteOptions<C extends Caller> {
  readonly role: string;
  readonly authenticate: (context: RequestContext) => Promise<C>;
  /** Whether calls may come without TLS. */
  readonly plainHttp: boolean;
}

const NO_STORE = { headers: { 'cache-control': 'no-store' } };

export function resourceRoutes<C extends Caller>({
  role,
  authenticate,
  plainHttp,
}: ResourceRouteOptions<C>): ResourceRoute<C> {
  return (method, path, handle, answer = (body) => jsonResponse(body, NO_STORE)) => ({
    role,
    methods: [method],
    path: `/v1${path}`,
    async handle(context) {
      if (!context.peer.secure && !plainHttp) throw new Fault('httpsRequired');
      const caller = await authenticate(context);
      const body = await handle({
        uid: caller.uid,
        caller,
        context,
        query: queryFields(context),
        name: (name) => context.segment(name),
      });
      return body === undefined ? emptyResponse() : answer(body);
    },
  });
}
