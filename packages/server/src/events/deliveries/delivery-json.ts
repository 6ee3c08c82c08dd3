/** The record of deliveries as the calls show it, and the queries on it. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { timeOf } from '../../platform/web/index.ts';
import type { EndpointView } from './deliveries.service.ts';
import type { DeliveryState } from './deliveries.store.ts';
import type {
  AttemptRow,
  DeliveryDetailRow,
  DeliveryListFilter,
  DeliveryListRow,
} from './delivery-list.store.ts';
import { deliveryWait } from './delivery-wait.ts';

const STATES: readonly DeliveryState[] = ['unsent', 'waiting', 'delivered', 'failed'];
/** Earlier than any day that has tables. */
const BEGINNING = new Date(0);
/** How much of a response an attempt shows; `response` has all that is stored. */
const SHOWN_ANSWER_BYTES = 4096;
const END = new Date('9999-01-01T00:00:00Z');

/** `state`, `endpoint`, `since` and `until`; times in ISO 8601 or unix seconds. */
export function readFilter(query: URLSearchParams, uid: bigint | undefined): DeliveryListFilter {
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
  const time = timeOf(text);
  if (time === undefined)
    throw new Fault('invalidArgument', {
      hint: `${name} must be a time such as 2026-11-15T08:00:00Z, or unix seconds`,
    });
  return time;
}

export function recordJson(row: DeliveryListRow): WireRecord<'Delivery'> {
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
  row: DeliveryDetailRow,
  attempts: readonly AttemptRow[],
): WireRecord<'DeliveryWithAttempts'> {
  return {
    ...recordJson(row),
    contentType: row.content_type,
    body: row.body.toString(),
    waits: row.queue_state ?? undefined,
    next: row.due_at?.toISOString(),
    waitingFor: deliveryWait(row),
    attempts: attempts.map((attempt) => attemptJson(attempt, row.body.length)),
  };
}

function attemptJson(
  attempt: AttemptRow,
  bodyBytes: number,
): WireRecord<'DeliveryWithAttempts'>['attempts'][number] {
  const { status, response, request_headers: sent, answer_headers: received } = attempt;
  return {
    attempt: attempt.attempt,
    begun: attempt.begun_at.toISOString(),
    url: attempt.url,
    status: status ?? undefined,
    durationMs: attempt.duration_ms,
    response: response?.toString(),
    error: attempt.error ?? undefined,
    request: sent === null ? undefined : { headers: sent, bodyBytes },
    answer:
      status === null
        ? undefined
        : {
            status,
            headers: received ?? undefined,
            body: response?.subarray(0, SHOWN_ANSWER_BYTES).toString() ?? '',
          },
  };
}

export function endpointJson(row: EndpointView): WireRecord<'Endpoint'> {
  return {
    endpoint: String(row.endpoint_id),
    name: row.name,
    configured: row.is_configured,
    url: row.url ?? undefined,
    state: row.state,
    failingSince: row.failing_since?.toISOString(),
    suspended: row.suspended_at?.toISOString(),
    reason: row.reason ?? undefined,
    waiting: row.figures?.waiting ?? 0,
    oldest: row.figures?.oldest?.toISOString(),
    lastSuccess: row.figures?.last_success?.toISOString(),
    lastFailure: row.figures?.last_failure?.toISOString(),
    recent: row.figures?.recent ?? [],
  };
}
