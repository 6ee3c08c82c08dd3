/** How calls on resources are declared: a method, a path under `/v1`, and what answers. */
import { type Answer, type Call, emptyAnswer, jsonAnswer } from '../call.ts';
import { queryFields } from '../fields.ts';
import type { Route } from '../route.ts';

/** What a call names and who makes it. The names contain nothing that would need encoding. */
export interface ResourceCall {
  readonly uid: bigint;
  readonly call: Call;
  readonly query: URLSearchParams;
  /** The path segment at `:name`. */
  readonly name: (name: string) => string;
}

export type ResourceRoute = <Body extends object>(
  method: Route['methods'][number],
  path: string,
  handle: (call: ResourceCall) => Promise<Body | undefined>,
  /** As JSON by default. */
  answer?: (body: Body) => Answer,
) => Route;

const NO_STORE = { headers: { 'cache-control': 'no-store' } };

export function resourceRoutes(
  authenticate: (call: Call) => Promise<{ readonly uid: bigint }>,
): ResourceRoute {
  return (method, path, handle, answer = (body) => jsonAnswer(body, NO_STORE)) => ({
    role: 'live',
    methods: [method],
    path: `/v1${path}`,
    async handle(call) {
      const { uid } = await authenticate(call);
      const body = await handle({
        uid,
        call,
        query: queryFields(call),
        name: (name) => call.segment(name),
      });
      return body === undefined ? emptyAnswer() : answer(body);
    },
  });
}
