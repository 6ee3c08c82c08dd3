/** The record of deliveries, at the `api` host: an account sees its own, and can send them again. HTTPS only. */
import { Fault, FORM_TYPE } from '@millpond/protocol';
import { parseBlobId } from '../../platform/blobs/index.ts';
import {
  type Call,
  emptyAnswer,
  formFields,
  jsonAnswer,
  queryFields,
  type Route,
} from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import { deliveryJson, endpointJson, readFilter, recordJson } from './record-json.ts';
import type { Deliveries } from './service.ts';

export interface DeliveryRouteDeps {
  readonly deliveries: Deliveries;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

const MOST_LISTED = 1000;

export function deliveryRoutes({ deliveries, authenticate, plainHttp }: DeliveryRouteDeps): Route[] {
  const caller = async (call: Call): Promise<bigint> => {
    if (!call.peer.secure && !plainHttp) throw new Fault('httpsRequired');
    return (await authenticate(call)).uid;
  };
  /** `recover` sends what failed; `replay` sends everything. */
  const again = (path: string, state: 'failed' | undefined): Route => ({
    role: 'api',
    methods: ['POST'],
    path,
    async handle(call) {
      const uid = await caller(call);
      const form = formOf(call);
      if (form.get('since') === null) throw new Fault('invalidArgument', { hint: 'since is required' });
      const { count, next } = await deliveries.resendAll({ ...readFilter(form, uid), state }, markerOf(form));
      return jsonAnswer({ count, ...(next === undefined ? {} : { marker: next }) });
    },
  });

  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/deliveries',
      async handle(call) {
        const uid = await caller(call);
        const query = queryFields(call);
        const page = await deliveries.page(readFilter(query, uid), markerOf(query), limitOf(query));
        const marker = page.next === undefined ? {} : { marker: page.next };
        return jsonAnswer({ items: page.rows.map(recordJson), ...marker });
      },
    },
    again('/v1/deliveries/recover', 'failed'),
    again('/v1/deliveries/replay', undefined),
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/deliveries/endpoints',
      async handle(call) {
        const uid = await caller(call);
        const query = queryFields(call);
        const after = /^\d{1,18}$/.test(query.get('marker') ?? '') ? BigInt(query.get('marker') ?? '') : 0n;
        const limit = limitOf(query);
        const rows = await deliveries.endpointsOf(uid, after, limit);
        const last = rows.length === limit ? rows.at(-1)?.endpoint_id : undefined;
        const marker = last === undefined ? {} : { marker: String(last) };
        return jsonAnswer({ items: rows.map(endpointJson), ...marker });
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/deliveries/endpoints/:endpoint/resume',
      async handle(call) {
        const uid = await caller(call);
        const id = call.segment('endpoint');
        if (!/^\d{1,18}$/.test(id)) throw new Fault('noSuchEntry');
        return jsonAnswer(endpointJson(await deliveries.resume(BigInt(id), uid, `account ${uid}`)));
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/deliveries/:delivery',
      async handle(call) {
        const uid = await caller(call);
        const { delivery, attempts } = await deliveries.get(call.segment('delivery'), uid);
        return jsonAnswer(deliveryJson(delivery, attempts));
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/deliveries/:delivery/resend',
      async handle(call) {
        const uid = await caller(call);
        await deliveries.resend(call.segment('delivery'), uid);
        return emptyAnswer();
      },
    },
  ];
}

function formOf(call: Call): URLSearchParams {
  const type = (call.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE)
    throw new Fault('invalidArgument', { hint: `the Content-Type must be ${FORM_TYPE}` });
  return formFields(call);
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? '100';
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LISTED)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${MOST_LISTED}` });
  return limit;
}

function markerOf(query: URLSearchParams): string | undefined {
  const marker = query.get('marker') ?? undefined;
  if (marker !== undefined && parseBlobId(marker) === undefined) throw new Fault('invalidMarker');
  return marker;
}
