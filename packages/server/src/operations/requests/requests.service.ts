/** Traces of requests: an account sees those made with its own credentials, an operator all. With what they caused. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Deliveries, recordJson } from '../../events/deliveries/index.ts';
import type { Accounts } from '../../identity/accounts/index.ts';
import { ownTaskRecord, type Tasks } from '../../media/processing/index.ts';
import type { FoundTrace, TraceStore } from './trace.store.ts';

export interface RequestDeps {
  readonly traces: TraceStore;
  readonly tasks: Pick<Tasks, 'own'>;
  readonly deliveries: Pick<Deliveries, 'get' | 'causedAt'>;
  readonly accounts: Pick<Accounts, 'audit'>;
}

const REQUEST_ID = /^[\w-]{1,64}$/;
const MAX_ACTS = 100;
const NONE =
  'there is no trace of it that you may see: of requests that were answered well and soon, few are kept, and none for longer than 7 days';

type RequestEffects = WireRecord<'RequestTrace'>['caused'];

export class Requests {
  readonly #deps: RequestDeps;

  constructor(deps: RequestDeps) {
    this.#deps = deps;
  }

  /** `uid` undefined: of any account, for operators. */
  async get(reqid: string, uid: bigint | undefined): Promise<WireRecord<'RequestTrace'>> {
    const found = REQUEST_ID.test(reqid) ? await this.#deps.traces.find(reqid) : undefined;
    if (found === undefined || (uid !== undefined && found.uid !== uid))
      throw new Fault('noSuchEntry', { hint: NONE });
    return {
      ...found.trace,
      at: found.at.toISOString(),
      uid: found.uid === null ? undefined : Number(found.uid),
      caused: await this.#caused(found, uid),
    };
  }

  async #caused({ trace }: FoundTrace, uid: bigint | undefined): Promise<RequestEffects> {
    const { tasks, deliveries, accounts } = this.#deps;
    const submitted = await present(trace.caused.tasks, (id) => tasks.own(uid, id));
    const acts = await accounts.audit({ reqid: trace.reqid, uid, limit: MAX_ACTS });
    return {
      tasks: submitted.map((row) => ownTaskRecord(row)),
      deliveries: [
        ...(await present(trace.caused.deliveries, async (id) => (await deliveries.get(id, uid)).delivery)),
        ...(await this.#notifications(submitted)),
      ].map(recordJson),
      audit: acts.map(({ at, action, result, actor, address, target, reqid }) => ({
        at: at.toISOString(),
        action,
        result,
        actor,
        address,
        target,
        reqid,
      })),
    };
  }

  /** Notifications of tasks that have ended: they were written in the transaction of the end. */
  async #notifications(tasks: readonly Task[]) {
    const found = await Promise.all(
      tasks.map(async ({ uid, reqid, finished_at: at, notify_url: url }) =>
        at === null || url === null ? [] : this.#deps.deliveries.causedAt(uid, reqid, at),
      ),
    );
    return [...new Map(found.flat().map((row) => [row.delivery_id, row])).values()];
  }
}

type Task = Awaited<ReturnType<Tasks['own']>>;

/** Those that are still there: a task that was rolled back never was, and others are kept for days only. */
async function present<T>(ids: readonly string[], read: (id: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const id of ids) {
    try {
      found.push(await read(id));
    } catch (error) {
      if (!(error instanceof Fault) || error.status === 599) throw error;
    }
  }
  return found;
}
