/** Usage, at the `api` host, and quotas, at the `uc` host. */
import { Fault, type RequiredPermission, type WireRecord } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import {
  emptyResponse,
  jsonResponse,
  type RequestContext,
  type Route,
  segmentsOf,
} from '../../platform/web/index.ts';
import { type Buckets, parametersOf } from '../buckets/index.ts';
import { daysOf } from './days.ts';
import type { Usage } from './usage.service.ts';

/** Quota values stay exact in JSON. */
const MAX_QUOTA = BigInt(Number.MAX_SAFE_INTEGER);

export function usageRoutes(usage: Usage, buckets: Buckets, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/usage',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: parametersOf(context).get('bucket') ?? undefined,
        }));
        const parameters = parametersOf(context);
        const days = daysOf(parameters.get('from') ?? '', parameters.get('to') ?? '');
        const name = parameters.get('bucket');
        const used =
          name === null ? usage.ofAccount(uid, days) : usage.ofBucket(await buckets.owned(uid, name), days);
        return jsonResponse<WireRecord<'Usage'>>({ ...days, ...(await used) });
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/setbucketquota/*',
      async handle(context) {
        const { uid } = await authenticate(context, bucketPermissions);
        const [name = '', ...rest] = segmentsOf(context.target);
        const { size, count } = readQuota(rest);
        await usage.setQuota(await buckets.owned(uid, name), size, count);
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/getbucketquota/*',
      async handle(context) {
        const { uid } = await authenticate(context, bucketPermissions);
        const [name = '', ...rest] = segmentsOf(context.target);
        if (rest.length > 0)
          throw new Fault('invalidArgument', { hint: 'the path must be /getbucketquota/<bucket>' });
        const { quota_bytes, quota_objects } = await usage.quotaOf(await buckets.owned(uid, name));
        return jsonResponse<WireRecord<'Quota'>>({
          size: Number(quota_bytes ?? -1n),
          count: Number(quota_objects ?? -1n),
        });
      },
    },
  ];
}

/** The first segment after the name of the call is the bucket. */
function bucketPermissions(context: RequestContext): RequiredPermission {
  const [bucket = ''] = segmentsOf(context.target);
  return { action: 'administer', bucket };
}

/** `/size/<bytes>` and `/count/<objects>`, each at most once; -1 removes a quota, 0 or absence leaves it unchanged. */
function readQuota(segments: readonly string[]): { size: bigint; count: bigint } {
  const given = new Map<string, bigint>();
  for (let at = 0; at < segments.length; at += 2) {
    const [word = '', value = ''] = [segments[at], segments[at + 1]];
    const isNew = (word === 'size' || word === 'count') && !given.has(word);
    if (!isNew || !/^(?:-1|\d{1,16})$/.test(value) || BigInt(value) > MAX_QUOTA)
      throw new Fault('invalidArgument', {
        hint: 'the path must be /setbucketquota/<bucket>/size/<bytes>/count/<objects>, -1 for no quota',
      });
    given.set(word, BigInt(value));
  }
  if (given.size === 0) throw new Fault('invalidArgument', { hint: 'give a size or a count' });
  return { size: given.get('size') ?? 0n, count: given.get('count') ?? 0n };
}
