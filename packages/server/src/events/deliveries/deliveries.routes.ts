/** The record of deliveries, at the `api` host: an account sees its own, and can send them again. HTTPS only. */
import { parseBlobId } from '@millpond/blobs';
import { Fault, FORM_TYPE, type WirePage } from '@millpond/protocol';
import { type Authenticate, requireAdminister } from '../../identity/accounts/index.ts';
import { formFields, type RequestContext, type Route } from '../../platform/web/index.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { Deliveries } from './deliveries.service.ts';
import { deliveryJson, endpointJson, readFilter, recordJson } from './delivery-json.ts';

export interface DeliveryRouteDeps {
  readonly deliveries: Deliveries;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

const MAX_LISTED = 1000;

export function deliveryRoutes({ deliveries, ...deps }: DeliveryRouteDeps): Route[] {
  const route = resourceRoutes({ role: 'api', ...deps, authenticate: requireAdminister(deps.authenticate) });
  /** `recover` sends what failed; `replay` sends everything. */
  const again = (path: string, state: 'failed' | undefined) =>
    route('POST', path, async ({ uid, context }) => {
      const form = formOf(context);
      if (form.get('since') === null) throw new Fault('invalidArgument', { hint: 'since is required' });
      const { count, next } = await deliveries.resendAll({ ...readFilter(form, uid), state }, markerOf(form));
      return { count, marker: next };
    });

  return [
    route('GET', '/deliveries', async ({ uid, query }): Promise<WirePage<'Delivery'>> => {
      const page = await deliveries.page(readFilter(query, uid), markerOf(query), limitOf(query));
      return { items: page.rows.map(recordJson), marker: page.next };
    }),
    again('/deliveries/recover', 'failed'),
    again('/deliveries/replay', undefined),
    route('GET', '/deliveries/endpoints', async ({ uid, query }): Promise<WirePage<'Endpoint'>> => {
      const after = /^\d{1,18}$/.test(query.get('marker') ?? '') ? BigInt(query.get('marker') ?? '') : 0n;
      const limit = limitOf(query);
      const rows = await deliveries.endpointsOf(uid, after, limit);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return { items: rows.map(endpointJson), marker: last?.endpoint_id.toString() };
    }),
    route('POST', '/deliveries/endpoints/:endpoint/resume', async ({ uid, name }) =>
      endpointJson(await deliveries.resume(endpointId(name('endpoint')), uid, `account ${uid}`)),
    ),
    route('POST', '/deliveries/endpoints/:endpoint/test', async ({ uid, name, context }) => ({
      id: await deliveries.test(endpointId(name('endpoint')), uid, context.reqid),
    })),
    route('GET', '/deliveries/:delivery', async ({ uid, name }) => {
      const { delivery, attempts } = await deliveries.get(name('delivery'), uid);
      return deliveryJson(delivery, attempts);
    }),
    route('POST', '/deliveries/:delivery/resend', async ({ uid, name }) => {
      await deliveries.resend(name('delivery'), uid);
      return undefined;
    }),
  ];
}

function endpointId(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new Fault('noSuchEntry');
  return BigInt(text);
}

function formOf(context: RequestContext): URLSearchParams {
  const type = (context.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE)
    throw new Fault('invalidArgument', { hint: `the Content-Type must be ${FORM_TYPE}` });
  return formFields(context);
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? '100';
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LISTED)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${MAX_LISTED}` });
  return limit;
}

function markerOf(query: URLSearchParams): string | undefined {
  const marker = query.get('marker') ?? undefined;
  if (marker !== undefined && parseBlobId(marker) === undefined) throw new Fault('invalidMarker');
  return marker;
}
