/** Calls on the settings an owner makes on a bucket, at the `uc` host: CORS rules, tags, domains, lifecycle rules. */
import { type Dialect, Fault, type RequiredPermission, type WireRecord } from '@millpond/protocol';
import type { Authenticate, PermissionsForCall } from '../../identity/accounts/index.ts';
import {
  emptyResponse,
  jsonResponse,
  queryFields,
  type RequestContext,
  type Route,
  requiredField,
  segmentsOf,
  unixSeconds,
} from '../../platform/web/index.ts';
import type { BucketSettingsStore } from './bucket-settings.store.ts';
import { parametersOf } from './buckets.parameters.ts';
import type { Bucket, Buckets } from './buckets.service.ts';
import { listedCorsRule, parseCorsRules } from './cors-rules.ts';
import { decodeDomain } from './domain-name.ts';
import type { Domains } from './domains.ts';
import type { LifecycleSettings } from './lifecycle-settings.ts';
import { parseTags } from './tags.ts';

export interface BucketSettingsDeps {
  readonly buckets: Buckets;
  readonly store: BucketSettingsStore;
  readonly domains: Domains;
  readonly lifecycle: LifecycleSettings;
  readonly authenticate: Authenticate;
  readonly dialect: Dialect;
}

export function bucketSettingsRoutes(deps: BucketSettingsDeps): Route[] {
  const { buckets, store, domains, lifecycle, authenticate } = deps;

  /** The caller's bucket, named by the path or by the parameter of this name. */
  const bucketOf = async (
    context: RequestContext,
    place: 'path' | 'bucket' | 'tbl',
    asked: Pick<RequiredPermission, 'action' | 'some'> = { action: 'administer' },
  ): Promise<Bucket> => {
    const name = () =>
      place === 'path' ? onlySegment(context) : requiredField(parametersOf(context), place);
    const { uid } = await authenticate(context, () => ({ ...asked, bucket: name() }));
    return buckets.owned(uid, name());
  };
  const route = (methods: Route['methods'], path: string, handle: Route['handle']): Route => ({
    role: 'uc',
    methods,
    path,
    handle,
  });
  const rules = (path: string, change: (bucket: Bucket, form: URLSearchParams) => Promise<void>): Route =>
    route(['POST'], path, async (context) => {
      await change(await bucketOf(context, 'bucket'), parametersOf(context));
      return emptyResponse();
    });

  const listDomains = async (context: RequestContext) => {
    const bucket = await bucketOf(context, 'tbl', TO_REACH);
    const shown = (await domains.list(bucket)).map(({ domain, bound_at }): WireRecord<'Domain'> => {
      const seconds = unixSeconds(bound_at);
      return {
        domain,
        tbl: bucket.name,
        uid: Number(bucket.uid),
        refresh: false,
        ctime: seconds,
        utime: seconds,
      };
    });
    return jsonResponse(shown);
  };

  return [
    route(['POST'], '/corsRules/set/*', async (context) => {
      const bucket = await bucketOf(context, 'path');
      const given = parseCorsRules(context.body);
      await store.setCors(bucket.id, given.length === 0 ? undefined : given);
      buckets.forget(bucket.name);
      return emptyResponse();
    }),
    route(['GET', 'POST'], '/corsRules/get/*', async (context) => {
      const bucket = await bucketOf(context, 'path');
      return jsonResponse<WireRecord<'CorsRules'>>(
        ((await store.read(bucket.id)).cors_rules ?? []).map(listedCorsRule),
      );
    }),
    route(['GET'], '/bucketTagging', async (context) => {
      const bucket = await bucketOf(context, 'bucket');
      return jsonResponse<WireRecord<'Tags'>>({ Tags: (await store.read(bucket.id)).tags ?? [] });
    }),
    route(['PUT'], '/bucketTagging', async (context) => {
      const name = () => requiredField(queryFields(context), 'bucket');
      const { uid } = await authenticate(context, () => ({ action: 'administer', bucket: name() }));
      const bucket = await buckets.owned(uid, name());
      await store.setTags(bucket.id, parseTags(context.body));
      return emptyResponse();
    }),
    route(['DELETE'], '/bucketTagging', async (context) => {
      await store.setTags((await bucketOf(context, 'bucket')).id, undefined);
      return emptyResponse();
    }),
    route(['GET', 'POST'], '/v2/domains', async (context) => {
      const bound = await domains.list(await bucketOf(context, 'tbl', TO_REACH));
      return jsonResponse(bound.map(({ domain }) => domain));
    }),
    route(['GET', 'POST'], '/v3/domains', listDomains),
    // The SDK for Ruby asks so.
    ...(deps.dialect.callsOfSdks
      ? [{ ...route(['GET', 'POST'], '/v7/domain/list', listDomains), role: 'api' }]
      : []),
    route(['POST'], '/publish/*', async (context) => {
      const { uid } = await authenticate(context, domainPermissions);
      const [encoded = '', word, name, ...rest] = segmentsOf(context.target);
      if (word !== 'from' || name === undefined || rest.length > 0)
        throw new Fault('invalidArgument', {
          hint: 'the path must be /publish/<EncodedDomain>/from/<bucket>',
        });
      const domain = decodeDomain(encoded);
      await domains.bind(domain, await buckets.owned(uid, name));
      return emptyResponse();
    }),
    route(['POST'], '/unpublish/*', async (context) => {
      const { uid } = await authenticate(context, domainPermissions);
      await domains.unbind(decodeDomain(onlySegment(context)), uid);
      return emptyResponse();
    }),
    rules('/rules/add', (bucket, form) => lifecycle.add(bucket, form)),
    rules('/rules/update', (bucket, form) => lifecycle.update(bucket, form)),
    rules('/rules/delete', (bucket, form) => lifecycle.remove(bucket, form)),
    route(['GET', 'POST'], '/rules/get', async (context) =>
      jsonResponse(await lifecycle.list(await bucketOf(context, 'bucket'))),
    ),
  ];
}

/** Who lists objects needs to know how they are reached. */
const TO_REACH = { action: 'list', some: true } as const;
/** A domain that is bound is taken from the bucket that had it: it belongs to the account as a whole. */
const domainPermissions: PermissionsForCall = () => ({ action: 'administer' });

/** The last segment of `/corsRules/set/<bucket>` and the like. */
function onlySegment(context: RequestContext): string {
  return context.target.path.slice(context.target.path.lastIndexOf('/') + 1);
}
