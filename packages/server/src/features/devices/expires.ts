/** For how long a device wants to be registered. */
import { headerOf, parameterOf, type SipRequest } from '../../platform/sip/index.ts';

const DEFAULT_EXPIRES_SECONDS = 3600;

/** Seconds; undefined where it is none. */
export function expiresOf(request: SipRequest, contact: string): number | undefined {
  const given = parameterOf(contact, 'expires') ?? headerOf(request, 'expires');
  if (given === '') return DEFAULT_EXPIRES_SECONDS;
  return /^\d{1,10}$/.test(given) ? Number(given) : undefined;
}
