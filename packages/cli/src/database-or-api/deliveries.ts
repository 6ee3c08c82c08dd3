/** Deliveries as `millpond deliveries` shows them: for an operator from the database, for a user from the API. */
import type { Client, DeliveryDetail, DeliveryRecord, EndpointRecord } from '@millpond/client/server';
import { deliveryJson, endpointJson, type OperatorTools, recordJson } from '@millpond/server';
import { firstOf, type Sources } from './source.ts';

/** An operator also sees whose it is. */
type WithOwner<T> = T & { readonly uid?: bigint };

export interface DeliveryQuery {
  readonly account?: string;
  readonly endpoint?: string;
  readonly state?: DeliveryRecord['state'];
  readonly since?: Date;
  readonly until?: Date;
}

export interface DeliverySource {
  list(query: DeliveryQuery, limit: number): Promise<WithOwner<DeliveryRecord>[]>;
  get(id: string): Promise<WithOwner<DeliveryDetail>>;
  resend(id: string): Promise<void>;
  /** Resends those that failed, or all of them; returns how many. */
  resendAll(query: DeliveryQuery & { readonly since: Date }, which: 'failed' | 'all'): Promise<number>;
  endpoints(account: string | undefined): Promise<WithOwner<EndpointRecord>[]>;
  resume(endpoint: string): Promise<WithOwner<EndpointRecord>>;
  /** Returns the id of the delivery. */
  test(endpoint: string): Promise<string>;
}

const PAGE = 1000;
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');

export const deliverySources: Sources<DeliverySource> = { operator: allDeliveries, user: ownDeliveries };

function allDeliveries({ accounts, actor, deliveries }: OperatorTools): DeliverySource {
  const uidOf = async (email: string | undefined) =>
    email === undefined ? undefined : (await accounts.byEmail(email)).uid;
  const filterOf = async (query: DeliveryQuery) => ({
    uid: await uidOf(query.account),
    state: query.state,
    endpointId: query.endpoint === undefined ? undefined : BigInt(query.endpoint),
    since: query.since ?? BEGINNING,
    until: query.until ?? END,
  });
  const shownEndpoint = (row: Parameters<typeof endpointJson>[0]) => ({ uid: row.uid, ...endpointJson(row) });
  return {
    async list(query, limit) {
      const filter = await filterOf(query);
      const found: WithOwner<DeliveryRecord>[] = [];
      for (let after: string | undefined; ; ) {
        const { rows, next } = await deliveries.page(filter, after, PAGE);
        found.push(...rows.map((row) => ({ uid: row.uid, ...recordJson(row) })));
        if (next === undefined || found.length >= limit) return found.slice(0, limit);
        after = next;
      }
    },
    async get(id) {
      const { delivery, attempts } = await deliveries.get(id, undefined);
      return { uid: delivery.uid, ...deliveryJson(delivery, attempts) };
    },
    async resend(id) {
      await deliveries.resend(id, undefined);
    },
    async resendAll(query, which) {
      const filter = { ...(await filterOf(query)), state: which === 'failed' ? which : undefined };
      let count = 0;
      for (let after: string | undefined; ; ) {
        const step = await deliveries.resendAll(filter, after);
        count += step.count;
        if (step.next === undefined) return count;
        after = step.next;
      }
    },
    async endpoints(account) {
      const uid = await uidOf(account);
      const found: WithOwner<EndpointRecord>[] = [];
      for (let after = 0n; ; ) {
        const page = await deliveries.endpointsOf(uid, after, PAGE);
        found.push(...page.map(shownEndpoint));
        if (page.length < PAGE) return found;
        after = page.at(-1)?.endpoint_id ?? after;
      }
    },
    resume: async (endpoint) =>
      shownEndpoint(await deliveries.resume(BigInt(endpoint), undefined, actor.name)),
    test: (endpoint) => deliveries.test(BigInt(endpoint), undefined, actor.reqid),
  };
}

function ownDeliveries({ deliveries }: Client, signal: AbortSignal): DeliverySource {
  const filterOf = ({ endpoint, state, since, until }: DeliveryQuery) => ({
    endpoint,
    state,
    since: since?.toISOString(),
    until: until?.toISOString(),
    signal,
  });
  return {
    list: (query, limit) => firstOf(deliveries.list(filterOf(query)), limit),
    get: (id) => deliveries.get(id, { signal }),
    resend: (id) => deliveries.resend(id, { signal }),
    resendAll(query, which) {
      const filter = { ...filterOf(query), since: query.since.toISOString() };
      return which === 'failed' ? deliveries.recover(filter) : deliveries.replay(filter);
    },
    endpoints: () => firstOf(deliveries.endpoints({ signal }), Number.POSITIVE_INFINITY),
    resume: (endpoint) => deliveries.resume(endpoint, { signal }),
    test: (endpoint) => deliveries.test(endpoint, { signal }),
  };
}
