/**
 * Who signed a management call. The signature is verified over the raw bytes received; an unknown key, a disabled one
 * and a wrong signature answer alike.
 */
import {
  type Credential,
  type Dialect,
  dateHeaderName,
  Fault,
  isRequestDateFresh,
  parseCredential,
  parseRequestDate,
  verifyManagement,
  verifyOld,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Call } from '../../platform/web/index.ts';
import type { AccessKey, Keyring } from './keyring.ts';

export interface Principal {
  readonly uid: bigint;
  readonly key: AccessKey;
}

export type Authenticate = (call: Call) => Promise<Principal>;

export function authenticator(keyring: Keyring, dialect: Dialect): Authenticate {
  const dateHeader = dateHeaderName(dialect).toLowerCase();

  return async (call) => {
    const credential = parseCredential(call.header('authorization'), dialect);
    if (credential?.kind !== 'signature') throw new Fault('badToken', { detail: 'no signature' });
    const key = await keyring.find(credential.accessKey);
    if (key === undefined) throw new Fault('badToken', { detail: 'no such key, or disabled' });
    if (!isSignedBy(key, credential, call, dialect))
      throw new Fault('badToken', { detail: 'wrong signature' });
    // A date that the old form does not sign says nothing about the request's age.
    if (credential.scheme === 'new') checkDate(call.header(dateHeader), dialect);
    return { uid: key.uid, key };
  };
}

function isSignedBy(
  key: AccessKey,
  credential: Extract<Credential, { kind: 'signature' }>,
  call: Call,
  dialect: Dialect,
): boolean {
  const request = {
    method: call.request.method ?? '',
    target: call.target.raw,
    host: call.host,
    contentType: call.header('content-type'),
    headers: headerPairs(call.request.rawHeaders),
    body: call.body,
  };
  try {
    if (credential.scheme === 'old')
      return verifyOld(nodeHashing, key.secretKey, request, credential.signature);
    return verifyManagement(nodeHashing, key.secretKey, request, credential.signature, dialect);
  } catch (error) {
    // A text that can't be signed can't have been.
    if (error instanceof Fault) return false;
    throw error;
  }
}

function checkDate(value: string | undefined, dialect: Dialect): void {
  if (value === undefined) return;
  const date = parseRequestDate(value);
  if (date === undefined || !isRequestDateFresh(date, new Date())) {
    throw new Fault(dialect.badDateFault, { detail: 'request date malformed or too far off' });
  }
}

function* headerPairs(raw: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? '', raw[i + 1] ?? ''];
}
