/** Calls on the styles of an account's own buckets, under `/v1/buckets/<bucket>/styles` at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, jsonBody, type Route } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { BucketRules, Styles } from './styles.ts';

export interface StyleRouteDeps {
  readonly styles: Styles;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

type Handle = (uid: bigint, bucket: string, call: Call) => Promise<object | undefined>;

export function styleRoutes({ styles, authenticate, plainHttp }: StyleRouteDeps): Route[] {
  const route = (method: Route['methods'][number], path: string, handle: Handle): Route => ({
    role: 'api',
    methods: [method],
    path,
    async handle(call) {
      if (!call.peer.secure && !plainHttp) throw new Fault('httpsRequired');
      const { uid } = await authenticate(call);
      const body = await handle(uid, call.segment('bucket'), call);
      return body === undefined
        ? emptyAnswer()
        : jsonAnswer(body, { headers: { 'cache-control': 'no-store' } });
    },
  });
  const all = '/v1/buckets/:bucket/styles';
  const one = `${all}/:name`;

  return [
    route('GET', all, async (uid, bucket) => rulesRecord(await styles.list(uid, bucket))),
    route('PUT', all, async (uid, bucket, call) => {
      const { separator, allow } = jsonBody(call);
      return rulesRecord(await styles.setRules(uid, bucket, { separator, allowed: allow }));
    }),
    route('PUT', one, async (uid, bucket, call) => {
      const name = call.segment('name');
      const { command } = jsonBody(call);
      await styles.put(uid, bucket, name, command);
      return { name, command };
    }),
    route('DELETE', one, async (uid, bucket, call) => {
      await styles.remove(uid, bucket, call.segment('name'));
      return undefined;
    }),
  ];
}

function rulesRecord({ separator, allowed, styles }: BucketRules): WireRecord<'Styles'> {
  return { separator, allow: allowed, items: [...styles].map(([name, command]) => ({ name, command })) };
}
