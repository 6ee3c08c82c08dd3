/** Management operations at paths of their own, `POST /<name>/…` at the `rs` host. */
import { emptyAnswer, jsonAnswer, type Route, segmentsOf } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Operation } from './operation.ts';

export function operationRoutes(operations: readonly Operation[], authenticate: Authenticate): Route[] {
  return operations.map((operation) => ({
    role: 'rs',
    methods: ['POST'],
    path: `/${operation.name}/*`,
    async handle(call) {
      const { uid } = await authenticate(call);
      const answer = await operation.run(uid, segmentsOf(call.target), call.cancel);
      return answer === undefined ? emptyAnswer() : jsonAnswer(answer);
    },
  }));
}
