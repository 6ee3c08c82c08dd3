/** The record of deliveries as the calls show it, and the queries on it. */
import { Fault, type WireRecord } from '@millpond/protocol';
import type { EndpointRow } from './endpoint-store.ts';
import type { AttemptRow, RecordDetail, RecordFilter, RecordRow } from './record-store.ts';
import type { DeliveryState } from './store.ts';

const STATES: readonly DeliveryState[] = ['unsent', 'waiting', 'delivered', 'failed'];
/** Earlier than any day that has tables. */
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');

/** `state`, `endpoint`, `since` and `until`; times in ISO 8601 or unix seconds. */
export function readFilter(query: URLSearchParams, uid: bigint | undefined): RecordFilter {
  const state = query.get('state') ?? undefined;
  const endpoint = query.get('endpoint') ?? undefined;
  const known = STATES.find((each) => each === state);
  if (state !== undefined && known === undefined)
    throw new Fault('invalidArgument', { hint: `state must be one of ${STATES.join(', ')}` });
  if (endpoint !== undefined && !/^\d{1,18}$/.test(endpoint))
    throw new Fault('invalidArgument', { hint: 'endpoint must be the number of an endpoint' });
  return {
    uid,
    state: known,
    endpointId: endpoint === undefined ? undefined : BigInt(endpoint),
    since: readTime(query, 'since') ?? BEGINNING,
    until: readTime(query, 'until') ?? END,
  };
}

function readTime(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const isIso = /^\d{4}-\d{2}-\d{2}(T[\d:.]{5,12}(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = /^\d{1,10}$/.test(text) ? new Date(Number(text) * 1000) : new Date(isIso ? text : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new Fault('invalidArgument', {
      hint: `${name} must be a time such as 2026-11-15T08:00:00Z, or unix seconds`,
    });
  return time;
}

export function recordJson(row: RecordRow): WireRecord<'Delivery'> {
  return {
    id: row.delivery_id,
    kind: row.kind,
    state: row.state,
    created: row.created_at.toISOString(),
    url: row.urls[0] ?? '',
    endpoint: row.endpoint_id?.toString(),
    entity: row.entity ?? undefined,
    sequence: row.sequence === null ? undefined : Number(row.sequence),
    subject: row.subject,
    reqid: row.reqid,
  };
}

export function deliveryJson(
  row: RecordDetail,
  attempts: readonly AttemptRow[],
): WireRecord<'DeliveryWithAttempts'> {
  return {
    ...recordJson(row),
    contentType: row.content_type,
    body: row.body.toString(),
    waits: row.queue_state ?? undefined,
    next: row.due_at?.toISOString(),
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      begun: attempt.begun_at.toISOString(),
      url: attempt.url,
      status: attempt.status ?? undefined,
      durationMs: attempt.duration_ms,
      response: attempt.response?.toString(),
      error: attempt.error ?? undefined,
    })),
  };
}

export function endpointJson(row: EndpointRow): WireRecord<'Endpoint'> {
  return {
    endpoint: String(row.endpoint_id),
    name: row.name,
    configured: row.is_configured,
    url: row.url ?? undefined,
    state: row.state,
    failingSince: row.failing_since?.toISOString(),
    suspended: row.suspended_at?.toISOString(),
    reason: row.reason ?? undefined,
  };
}
