/** Management operations, each at its own path, `POST /<name>/…` at the `rs` host, and all of them through batch. */
import { type Authenticate, judgedLater, refuseBeyondLimits } from '../../../identity/accounts/index.ts';
import { emptyAnswer, jsonAnswer, type Route, segmentsOf } from '../../../platform/web/index.ts';
import { batchAnswer, readBatch, runBatch, runBatchWithin } from './batch.ts';
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
      async handle(call) {
        const { uid } = await authenticate(call, () => operation.asks(segmentsOf(call.target)));
        const answer = await operation.run(uid, segmentsOf(call.target), call.cancel);
        return answer === undefined ? emptyAnswer() : jsonAnswer(answer);
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
    async handle(call) {
      const { uid, key } = await authenticate(call, judgedLater);
      const requests = readBatch(call.body);
      const outcomes =
        key?.limits === undefined
          ? await runBatch(byName, uid, requests, call.cancel)
          : await runBatchWithin(byName, uid, requests, call.cancel, (asked) =>
              refuseBeyondLimits(key, asked, call.peer.address),
            );
      return batchAnswer(outcomes, (error) => onFailure(call.reqid, error));
    },
  };
}
