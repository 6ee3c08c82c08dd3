/** Management operations, each at its own path, `POST /<name>/…` at the `rs` host, and all of them through batch. */
import {
  type Authenticate,
  assertWithinKeyLimits,
  CHECKED_IN_HANDLER,
} from '../../../identity/accounts/index.ts';
import { emptyResponse, jsonResponse, type Route, segmentsOf } from '../../../platform/web/index.ts';
import { batchResponse, readBatch, runBatch, runBatchWithin } from './batch.ts';
import type { Operation } from './operation.ts';

/** Read-only operations, which also accept GET. */
const READS = new Set(['stat']);

export interface OperationRouteDeps {
  readonly operations: readonly Operation[];
  readonly authenticate: Authenticate;
  /** Internal failures within a batch, whose answer gives only their status code. */
  readonly onFailure: (reqid: string, error: unknown) => void;
}

export function operationRoutes(deps: OperationRouteDeps): Route[] {
  const { operations, authenticate } = deps;
  const single = operations.map(
    (operation): Route => ({
      role: 'rs',
      methods: READS.has(operation.name) ? ['GET', 'POST'] : ['POST'],
      path: `/${operation.name}/*`,
      async handle(context) {
        const { uid } = await authenticate(context, () => operation.permissions(segmentsOf(context.target)));
        const answer = await operation.run(uid, segmentsOf(context.target), context.cancel);
        return answer === undefined ? emptyResponse() : jsonResponse(answer);
      },
    }),
  );
  return [...single, batchRoute(deps)];
}

function batchRoute({ operations, authenticate, onFailure }: OperationRouteDeps): Route {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    role: 'rs',
    methods: ['POST'],
    path: '/batch',
    async handle(context) {
      const { uid, key } = await authenticate(context, CHECKED_IN_HANDLER);
      const requests = readBatch(context.body);
      const outcomes =
        key?.limits === undefined
          ? await runBatch(byName, uid, requests, context.cancel)
          : await runBatchWithin(byName, uid, requests, context.cancel, (asked) =>
              assertWithinKeyLimits(key, asked, context.peer.address),
            );
      return batchResponse(outcomes, (error) => onFailure(context.reqid, error));
    },
  };
}
