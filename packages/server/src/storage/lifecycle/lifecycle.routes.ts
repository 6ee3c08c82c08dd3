/** What a lifecycle rule would do, at the `api` host. */
import type { RequiredPermission } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import { jsonBody, jsonResponse, type RequestContext, type Route } from '../../platform/web/index.ts';
import { invalidField } from '../../platform/web/resources/index.ts';
import { type Buckets, type LifecycleRule, readLifecycleRule } from '../buckets/index.ts';
import type { LifecycleStore } from './lifecycle.store.ts';
import { previewRule } from './preview.ts';

export interface LifecycleRouteDeps {
  readonly store: LifecycleStore;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

export function lifecycleRoutes({ store, buckets, authenticate }: LifecycleRouteDeps): Route[] {
  return [
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/lifecycle/preview',
      async handle(context) {
        const { uid } = await authenticate(context, () => rulePermissions(readPreview(context)));
        const { bucket, rule } = readPreview(context);
        return jsonResponse(await previewRule(store, await buckets.owned(uid, bucket), rule, context.cancel));
      },
    },
  ];
}

/** The preview returns keys, so it also needs `list`. */
function rulePermissions({
  bucket,
  rule,
}: {
  readonly bucket: string;
  readonly rule: LifecycleRule;
}): RequiredPermission[] {
  return [
    { action: 'administer', bucket },
    { action: 'list', bucket, prefix: rule.prefix },
  ];
}

/** The rule as `/rules/add` takes it, but for its name, which it need not have yet. */
function readPreview(context: RequestContext): { bucket: string; rule: LifecycleRule } {
  const { bucket, rule } = jsonBody(context);
  if (typeof bucket !== 'string') throw invalidField('bucket must be the name of a bucket');
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw invalidField('rule must be an object, as a lifecycle rule is shown');
  const fields = new Map([['name', 'new']]);
  for (const [name, value] of Object.entries(rule as Record<string, unknown>)) {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw invalidField(`${name.slice(0, 40)} must be a text or a number`);
    fields.set(name, String(value));
  }
  return { bucket, rule: readLifecycleRule({ get: (name) => fields.get(name) ?? null }) };
}
