/** Holds what a call asks against the limits of its key. Only a call that is already known to come from the key gets here. */
import { currentTrace } from '@millpond/base';
import { type AskedOfKey, Fault, limitAgainst, limitAgainstUse } from '@millpond/protocol';
import type { Call } from '../../../platform/web/index.ts';
import type { AccessKey } from './keyring.ts';

/** Absent for an access token, which has no limits. */
type Limited = Pick<AccessKey, 'limits'> | undefined;

/**
 * What a call asks of a limited key. It is computed from the verified call, for limited keys only, and may refuse what it can't
 * read. A route that gives none is closed to limited keys, so none can be forgotten.
 */
export type Asks = (call: Call) => AskedOfKey | readonly AskedOfKey[];

/** For routes that learn what they are asked along the way: they must judge it themselves, with `refuseBeyondLimits`. */
export const judgedLater: Asks = () => [];

/** For calls on what belongs to the account as a whole, and to none of its buckets. */
export function administrators<P>(
  authenticate: (call: Call, asks: Asks) => Promise<P>,
): (call: Call) => Promise<P> {
  return (call) => authenticate(call, () => ({ action: 'administer' }));
}

/** Throws unless the key may do all of it. */
export function refuseBeyondLimits(
  key: Limited,
  asked: AskedOfKey | readonly AskedOfKey[],
  address: string,
): void {
  const refusal = refusalOf(key, asked, address);
  if (key?.limits !== undefined)
    currentTrace()?.since('judge', 'limits of the key', refusal === undefined, refusal);
  if (refusal !== undefined) throw new Fault('keyLimited', { hint: refusal });
}

/** Which limit refuses it. */
export function refusalOf(
  key: Limited,
  asked: AskedOfKey | readonly AskedOfKey[],
  address: string,
): string | undefined {
  const limits = key?.limits;
  if (limits === undefined) return undefined;
  const use = { address, now: Date.now() };
  const all = 'action' in asked ? [asked] : asked;
  for (const each of all) {
    const refusal = limitAgainst(limits, each, use);
    if (refusal !== undefined) return refusal;
  }
  return limitAgainstUse(limits, use);
}

/** The same for a whole call, when its signature has been verified. */
export function refuseCallBeyondLimits(key: AccessKey, call: Call, asks: Asks | undefined): void {
  if (key.limits === undefined) return;
  if (asks === undefined) throw new Fault('keyLimited', { hint: 'no key with limits may make this call' });
  refuseBeyondLimits(key, asks(call), call.peer.address);
}
