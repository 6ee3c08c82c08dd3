/** Answers every request of the S3 listener: takes it apart, finds out who signed it, and hands it to its operation. */
import type { HttpResponse, RequestContext, Route } from '../../platform/web/index.ts';
import { S3_PREFIX } from '../../platform/web/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import { preflightResponse, setCorsHeaders } from './buckets/s3-buckets.cors.ts';
import type { Dispatch } from './dispatch.ts';
import { isForm, type PostObject } from './form/post-object.ts';
import type { Identify } from './identify.ts';
import { isCallOfOtherService, rejectOtherService } from './other-services.ts';
import { type ProbeDeps, probeResponse } from './probes.ts';
import { requestIdHeaders } from './s3.answers.ts';
import { refusalOf } from './s3.refusal.ts';
import { parseS3Address } from './s3.request.ts';

export interface ListenerDeps {
  readonly dispatch: Dispatch;
  readonly buckets: Buckets;
  /** Who signed the request; throws if nobody did as they should. */
  readonly identify: Identify;
  /** Uploads by forms, which carry their credentials in the body. */
  readonly postObject: PostObject;
  readonly probes: ProbeDeps;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;

export function listenerRoutes(deps: ListenerDeps): Route[] {
  const route = (path: string, hostBucket: (context: RequestContext) => string | undefined): Route => ({
    role: 's3',
    methods: METHODS,
    path,
    body: 'stream',
    refusal: refusalOf,
    handle: (context) => answer(deps, context, hostBucket(context)),
  });
  return [
    route(S3_PREFIX, () => undefined),
    route(`${S3_PREFIX}:bucket`, (context) => context.parameter('bucket')),
  ];
}

async function answer(
  deps: ListenerDeps,
  context: RequestContext,
  hostBucket: string | undefined,
): Promise<HttpResponse | undefined> {
  for (const [name, value] of Object.entries(requestIdHeaders(context.reqid)))
    context.response.setHeader(name, value);
  if (hostBucket === undefined) {
    const probed = await probeResponse(context, deps.probes);
    if (probed !== undefined) return probed;
  }
  const place = parseS3Address(context.target.path, hostBucket);
  if (context.request.method === 'OPTIONS') return preflightResponse(deps.buckets, context, place);
  await setCorsHeaders(deps.buckets, context, place);
  if (isCallOfOtherService(context, place)) return rejectOtherService(context);
  if (isForm(context, place)) return deps.postObject(context, place);
  return deps.dispatch.answer(await deps.identify(context, place, hostBucket));
}
