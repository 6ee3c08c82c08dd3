/**
 * Batch: up to 1,000 operations in one call, executed in the order sent, each with its own outcome. A failed operation
 * does not stop the others.
 */
import { Fault, faultBody, parseFields, type RequiredPermission } from '@millpond/protocol';
import { type HttpResponse, jsonResponse, toFault } from '../../../platform/web/index.ts';
import type { Operation, Outcome } from './operation.ts';

/** Some or all of the operations failed. */
const SOME_FAILED = 298;

export interface BatchRequest {
  readonly name: string;
  /** The segments after the name, still encoded. */
  readonly segments: readonly string[];
}

/** The form `op=/stat/<entry>&op=…`; the first slash of an operation may be missing. */
export function readBatch(body: Buffer): BatchRequest[] {
  const operations = parseFields(body).getAll('op');
  if (operations.length === 0)
    throw invalidBatch('a batch must be a form of op=/<operation>/<EncodedEntryURI>');
  return operations.map(readOperation);
}

function readOperation(text: string): BatchRequest {
  const [path = ''] = text.split('?', 1);
  const [name = '', ...segments] = (path.startsWith('/') ? path.slice(1) : path).split('/');
  return { name, segments };
}

/** Runs what `invalidBatch` lets pass; the rest keep their places, with its reasons. */
export async function runBatchWithin(
  operations: ReadonlyMap<string, Operation>,
  uid: bigint,
  requests: readonly BatchRequest[],
  cancel: AbortSignal,
  refuse: (asked: readonly RequiredPermission[]) => void,
): Promise<Outcome[]> {
  const judged = requests.map(({ name, segments }): Outcome => {
    try {
      // An unknown operation is refused below, and does nothing.
      refuse(operations.get(name)?.permissions(segments) ?? []);
      return { status: 'fulfilled', value: undefined };
    } catch (reason) {
      return { status: 'rejected', reason };
    }
  });
  const passing = requests.filter((_, index) => judged[index]?.status === 'fulfilled');
  const outcomes = (await runBatch(operations, uid, passing, cancel)).values();
  return judged.map((each) => (each.status === 'fulfilled' ? (outcomes.next().value as Outcome) : each));
}

export async function runBatch(
  operations: ReadonlyMap<string, Operation>,
  uid: bigint,
  requests: readonly BatchRequest[],
  cancel: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < requests.length) {
    cancel.throwIfAborted();
    const { name } = requests[outcomes.length] as BatchRequest;
    const end = requests.findIndex((request, index) => index > outcomes.length && request.name !== name);
    const alike = requests.slice(outcomes.length, end < 0 ? undefined : end).map(({ segments }) => segments);
    outcomes.push(...(await runAlike(operations.get(name), uid, alike, cancel)));
  }
  return outcomes;
}

/** Runs consecutive requests of the same operation. */
async function runAlike(
  operation: Operation | undefined,
  uid: bigint,
  requests: readonly (readonly string[])[],
  cancel: AbortSignal,
): Promise<Outcome[]> {
  if (operation === undefined) {
    const reason = invalidBatch('no such operation');
    return requests.map(() => ({ status: 'rejected', reason }));
  }
  if (operation.runMany !== undefined && requests.length > 1) {
    const [all] = await Promise.allSettled([operation.runMany(uid, requests, cancel)]);
    cancel.throwIfAborted();
    return all.status === 'fulfilled' ? all.value : requests.map(() => all);
  }
  const outcomes: Outcome[] = [];
  for (const segments of requests) {
    cancel.throwIfAborted();
    outcomes.push(...(await Promise.allSettled([operation.run(uid, segments, cancel)])));
  }
  return outcomes;
}

export function batchResponse(
  outcomes: readonly Outcome[],
  onFailure: (error: unknown) => void,
): HttpResponse {
  const results = outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled')
      return outcome.value === undefined ? { code: 200 } : { code: 200, data: outcome.value };
    const fault = toFault(outcome.reason);
    if (fault.fault === 'serverFailure') onFailure(fault);
    return { code: fault.status, data: faultBody(fault) };
  });
  return jsonResponse(results, { status: results.every(({ code }) => code === 200) ? 200 : SOME_FAILED });
}

function invalidBatch(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
