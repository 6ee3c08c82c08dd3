/** Calls on the settings an owner makes on a bucket, at the `uc` host: CORS rules, tags, domains, lifecycle rules. */
import { type AskedOfKey, type Dialect, Fault, type WireRecord } from '@millpond/protocol';
import type { Asks, Authenticate } from '../../identity/accounts/index.ts';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  neededField,
  queryFields,
  type Route,
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
    call: Call,
    place: 'path' | 'bucket' | 'tbl',
    asked: Pick<AskedOfKey, 'action' | 'some'> = { action: 'administer' },
  ): Promise<Bucket> => {
    const name = () => (place === 'path' ? onlySegment(call) : neededField(parametersOf(call), place));
    const { uid } = await authenticate(call, () => ({ ...asked, bucket: name() }));
    return buckets.owned(uid, name());
  };
  const route = (methods: Route['methods'], path: string, handle: Route['handle']): Route => ({
    role: 'uc',
    methods,
    path,
    handle,
  });
  const rules = (path: string, change: (bucket: Bucket, form: URLSearchParams) => Promise<void>): Route =>
    route(['POST'], path, async (call) => {
      await change(await bucketOf(call, 'bucket'), parametersOf(call));
      return emptyAnswer();
    });

  const listDomains = async (call: Call) => {
    const bucket = await bucketOf(call, 'tbl', TO_REACH);
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
    return jsonAnswer(shown);
  };

  return [
    route(['POST'], '/corsRules/set/*', async (call) => {
      const bucket = await bucketOf(call, 'path');
      const given = parseCorsRules(call.body);
      await store.setCors(bucket.id, given.length === 0 ? undefined : given);
      buckets.forget(bucket.name);
      return emptyAnswer();
    }),
    route(['GET', 'POST'], '/corsRules/get/*', async (call) => {
      const bucket = await bucketOf(call, 'path');
      return jsonAnswer<WireRecord<'CorsRules'>>(
        ((await store.read(bucket.id)).cors_rules ?? []).map(listedCorsRule),
      );
    }),
    route(['GET'], '/bucketTagging', async (call) => {
      const bucket = await bucketOf(call, 'bucket');
      return jsonAnswer<WireRecord<'Tags'>>({ Tags: (await store.read(bucket.id)).tags ?? [] });
    }),
    route(['PUT'], '/bucketTagging', async (call) => {
      const name = () => neededField(queryFields(call), 'bucket');
      const { uid } = await authenticate(call, () => ({ action: 'administer', bucket: name() }));
      const bucket = await buckets.owned(uid, name());
      await store.setTags(bucket.id, parseTags(call.body));
      return emptyAnswer();
    }),
    route(['DELETE'], '/bucketTagging', async (call) => {
      await store.setTags((await bucketOf(call, 'bucket')).id, undefined);
      return emptyAnswer();
    }),
    route(['GET', 'POST'], '/v2/domains', async (call) => {
      const bound = await domains.list(await bucketOf(call, 'tbl', TO_REACH));
      return jsonAnswer(bound.map(({ domain }) => domain));
    }),
    route(['GET', 'POST'], '/v3/domains', listDomains),
    // The SDK for Ruby asks so.
    ...(deps.dialect.callsOfSdks
      ? [{ ...route(['GET', 'POST'], '/v7/domain/list', listDomains), role: 'api' }]
      : []),
    route(['POST'], '/publish/*', async (call) => {
      const { uid } = await authenticate(call, askedOfDomain);
      const [encoded = '', word, name, ...rest] = segmentsOf(call.target);
      if (word !== 'from' || name === undefined || rest.length > 0)
        throw new Fault('invalidArgument', {
          hint: 'the path must be /publish/<EncodedDomain>/from/<bucket>',
        });
      const domain = decodeDomain(encoded);
      await domains.bind(domain, await buckets.owned(uid, name));
      return emptyAnswer();
    }),
    route(['POST'], '/unpublish/*', async (call) => {
      const { uid } = await authenticate(call, askedOfDomain);
      await domains.unbind(decodeDomain(onlySegment(call)), uid);
      return emptyAnswer();
    }),
    rules('/rules/add', (bucket, form) => lifecycle.add(bucket, form)),
    rules('/rules/update', (bucket, form) => lifecycle.update(bucket, form)),
    rules('/rules/delete', (bucket, form) => lifecycle.remove(bucket, form)),
    route(['GET', 'POST'], '/rules/get', async (call) =>
      jsonAnswer(await lifecycle.list(await bucketOf(call, 'bucket'))),
    ),
  ];
}

/** Who lists objects needs to know how they are reached. */
const TO_REACH = { action: 'list', some: true } as const;
/** A domain that is bound is taken from the bucket that had it: it belongs to the account as a whole. */
const askedOfDomain: Asks = () => ({ action: 'administer' });

/** The last segment of `/corsRules/set/<bucket>` and the like. */
function onlySegment(call: Call): string {
  return call.target.path.slice(call.target.path.lastIndexOf('/') + 1);
}
