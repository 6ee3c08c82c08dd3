/** Answers every request of the S3 listener: takes it apart, finds out who signed it, and hands it to its operation. */
import type { Answer, Call, Route } from '../../platform/web/index.ts';
import { BY_S3 } from '../../platform/web/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import { preflightAnswer, setCorsHeaders } from './buckets/s3-buckets.cors.ts';
import type { Dispatch } from './dispatch.ts';
import { isForm, type PostObject } from './form/post-object.ts';
import type { Identify } from './identify.ts';
import { isCallOfOtherService, refuseOtherService } from './other-services.ts';
import { type ProbeDeps, probeAnswer } from './probes.ts';
import { requestIdHeaders } from './s3.answers.ts';
import { refusalOf } from './s3.refusal.ts';
import { placeOf } from './s3.request.ts';

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
  const route = (path: string, hostBucket: (call: Call) => string | undefined): Route => ({
    role: 's3',
    methods: METHODS,
    path,
    body: 'stream',
    refusal: refusalOf,
    handle: (call) => answer(deps, call, hostBucket(call)),
  });
  return [route(BY_S3, () => undefined), route(`${BY_S3}:bucket`, (call) => call.parameter('bucket'))];
}

async function answer(
  deps: ListenerDeps,
  call: Call,
  hostBucket: string | undefined,
): Promise<Answer | undefined> {
  for (const [name, value] of Object.entries(requestIdHeaders(call.reqid)))
    call.response.setHeader(name, value);
  if (hostBucket === undefined) {
    const probed = await probeAnswer(call, deps.probes);
    if (probed !== undefined) return probed;
  }
  const place = placeOf(call.target.path, hostBucket);
  if (call.request.method === 'OPTIONS') return preflightAnswer(deps.buckets, call, place);
  await setCorsHeaders(deps.buckets, call, place);
  if (isCallOfOtherService(call, place)) return refuseOtherService(call);
  if (isForm(call, place)) return deps.postObject(call, place);
  return deps.dispatch.answer(await deps.identify(call, place, hostBucket));
}
