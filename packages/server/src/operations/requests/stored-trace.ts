/** A trace as it is kept, and as its owner sees it. */
import type { RequestFacts, Trace, TraceEffects } from '@millpond/base';
import type { WireRecord } from '@millpond/protocol';

/** What the database keeps as JSON; who made it and when have columns. */
export type StoredTrace = Omit<WireRecord<'RequestTrace'>, 'at' | 'uid' | 'caused'> & {
  readonly caused: TraceEffects;
};

/** A path may have a key of 750 bytes in it, percent-encoded. */
const MAX_PATH_LENGTH = 2400;
const MAX_TEXT_LENGTH = 500;

export function toStoredTrace(trace: Trace, facts: RequestFacts): StoredTrace {
  const { begun, steps, leftOut, accessKey, session, fault, hint, caused } = trace;
  return {
    reqid: facts.reqid,
    method: facts.method,
    path: facts.path.slice(0, MAX_PATH_LENGTH),
    role: facts.role,
    status: facts.status,
    ms: tenths(facts.ms),
    address: facts.address,
    accessKey,
    session,
    fault: fault?.slice(0, MAX_TEXT_LENGTH),
    hint: hint?.slice(0, MAX_TEXT_LENGTH),
    steps: steps
      .map(({ kind, name, begun: at, ended, ok, words }) => ({
        at: tenths(Math.max(0, at - begun)),
        ms: tenths(ended - at),
        kind,
        name,
        ...(words === undefined ? {} : { words: words.slice(0, MAX_TEXT_LENGTH) }),
        ok,
      }))
      .toSorted((a, b) => a.at - b.at),
    ...(leftOut === 0 ? {} : { leftOut }),
    caused: { tasks: [...caused.tasks], deliveries: [...caused.deliveries] },
  };
}

function tenths(ms: number): number {
  return Math.round(10 * ms) / 10;
}
