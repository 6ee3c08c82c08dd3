/** Calls on the styles of an account's own buckets, under `/v1/buckets/<bucket>/styles` at the `api` host. */
import type { WireRecord } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import { jsonBody, type RequestContext, type Route } from '../../platform/web/index.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { BucketRules, Styles } from './styles.ts';

export interface StyleRouteDeps {
  readonly styles: Styles;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

export function styleRoutes({ styles, ...deps }: StyleRouteDeps): Route[] {
  const authenticate = (context: RequestContext) =>
    deps.authenticate(context, () => ({ action: 'administer', bucket: context.segment('bucket') }));
  const route = resourceRoutes({ role: 'api', ...deps, authenticate });
  const all = '/buckets/:bucket/styles';
  const one = `${all}/:name`;

  return [
    route('GET', all, async ({ uid, name }) => rulesRecord(await styles.list(uid, name('bucket')))),
    route('PUT', all, async ({ uid, context, name }) => {
      const { separator, allow } = jsonBody(context);
      return rulesRecord(await styles.setRules(uid, name('bucket'), { separator, allowed: allow }));
    }),
    route('PUT', one, async ({ uid, context, name }) => {
      const { command } = jsonBody(context);
      await styles.put(uid, name('bucket'), name('name'), command);
      return { name: name('name'), command };
    }),
    route('DELETE', one, async ({ uid, name }) => {
      await styles.remove(uid, name('bucket'), name('name'));
      return undefined;
    }),
  ];
}

function rulesRecord({ separator, allowed, styles }: BucketRules): WireRecord<'Styles'> {
  return { separator, allow: allowed, items: [...styles].map(([name, command]) => ({ name, command })) };
}
