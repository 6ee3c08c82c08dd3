/** Calls on the styles of an account's own buckets, under `/v1/buckets/<bucket>/styles` at the `api` host. */
import type { WireRecord } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import { type Call, jsonBody, type Route } from '../../platform/web/index.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { BucketRules, Styles } from './styles.ts';

export interface StyleRouteDeps {
  readonly styles: Styles;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

export function styleRoutes({ styles, ...deps }: StyleRouteDeps): Route[] {
  const authenticate = (call: Call) =>
    deps.authenticate(call, () => ({ action: 'administer', bucket: call.segment('bucket') }));
  const route = resourceRoutes({ role: 'api', ...deps, authenticate });
  const all = '/buckets/:bucket/styles';
  const one = `${all}/:name`;

  return [
    route('GET', all, async ({ uid, name }) => rulesRecord(await styles.list(uid, name('bucket')))),
    route('PUT', all, async ({ uid, call, name }) => {
      const { separator, allow } = jsonBody(call);
      return rulesRecord(await styles.setRules(uid, name('bucket'), { separator, allowed: allow }));
    }),
    route('PUT', one, async ({ uid, call, name }) => {
      const { command } = jsonBody(call);
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
