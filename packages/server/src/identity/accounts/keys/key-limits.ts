/** Holds what a call asks against the limits of its key. Only a call that is already known to come from the key gets here. */
import { currentTrace } from '@millpond/base';
import { accessDenial, contextDenial, Fault, type RequiredPermission } from '@millpond/protocol';
import type { RequestContext } from '../../../platform/web/index.ts';
import type { AccessKey } from './keyring.ts';

/** Absent for an access token, which has no limits. */
type Limited = Pick<AccessKey, 'limits'> | undefined;

/**
 * What a call asks of a limited key. It is computed from the verified call, for limited keys only, and may refuse what it can't
 * read. A route that gives none is closed to limited keys, so none can be forgotten.
 */
export type PermissionsForCall = (
  context: RequestContext,
) => RequiredPermission | readonly RequiredPermission[];

/** For routes whose permissions depend on data: the handler must call `assertWithinKeyLimits`. */
export const CHECKED_IN_HANDLER: PermissionsForCall = () => [];

/** For calls on what belongs to the account as a whole, and to none of its buckets. */
export function requireAdminister<P>(
  authenticate: (context: RequestContext, permissionsForCall: PermissionsForCall) => Promise<P>,
): (context: RequestContext) => Promise<P> {
  return (context) => authenticate(context, () => ({ action: 'administer' }));
}

/** Throws unless the key may do all of it. */
export function assertWithinKeyLimits(
  key: Limited,
  asked: RequiredPermission | readonly RequiredPermission[],
  address: string,
): void {
  const refusal = keyLimitViolation(key, asked, address);
  if (key?.limits !== undefined)
    currentTrace()?.since('judge', 'limits of the key', refusal === undefined, refusal);
  if (refusal !== undefined) throw new Fault('keyLimited', { hint: refusal });
}

/** Which limit refuses it. */
export function keyLimitViolation(
  key: Limited,
  asked: RequiredPermission | readonly RequiredPermission[],
  address: string,
): string | undefined {
  const limits = key?.limits;
  if (limits === undefined) return undefined;
  const use = { address, now: Date.now() };
  const all = 'action' in asked ? [asked] : asked;
  for (const each of all) {
    const refusal = accessDenial(limits, each, use);
    if (refusal !== undefined) return refusal;
  }
  return contextDenial(limits, use);
}

/** The same for a whole call, when its signature has been verified. */
export function assertCallWithinKeyLimits(
  key: AccessKey,
  context: RequestContext,
  permissionsForCall: PermissionsForCall | undefined,
): void {
  if (key.limits === undefined) return;
  if (permissionsForCall === undefined)
    throw new Fault('keyLimited', { hint: 'no key with limits may make this call' });
  assertWithinKeyLimits(key, permissionsForCall(context), context.peer.address);
}
