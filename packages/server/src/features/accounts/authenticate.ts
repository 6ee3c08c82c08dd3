/**
 * Who makes a call. A signature is verified over the raw bytes received; an unknown key, a disabled one and a wrong
 * signature answer alike. A credential with a colon is a signature and nothing else; one without is an access token.
 */
import {
  type Credential,
  type Dialect,
  dateHeaderName,
  deliveryHeaderName,
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
import type { Tokens } from './tokens.ts';

export interface Principal {
  readonly uid: bigint;
  /** The key that signed; none where an access token was used. */
  readonly key?: AccessKey;
}

export type Authenticate = (call: Call) => Promise<Principal>;

export interface AuthenticateParts {
  readonly keyring: Keyring;
  readonly tokens: Tokens;
  readonly dialect: Dialect;
  /** Development only: tokens and account calls without TLS. */
  readonly plainHttp: boolean;
}

type SignatureCredential = Extract<Credential, { kind: 'signature' }>;

/** For object, upload-side and processing calls: both kinds of credential. For account calls: new signatures alone. */
export function authenticators(parts: AuthenticateParts): {
  call: Authenticate;
  accountCall: (call: Call) => Promise<AccessKey>;
} {
  const { keyring, tokens, dialect, plainHttp } = parts;
  const dateHeader = dateHeaderName(dialect).toLowerCase();
  const deliveryHeader = deliveryHeaderName(dialect).toLowerCase();

  async function signer(call: Call, credential: SignatureCredential): Promise<AccessKey> {
    // It was signed for a receiver, whatever it asks for here.
    if (deliveryHeader in call.request.headers) throw new Fault('badToken', { detail: 'an event of ours' });
    const key = await keyring.find(credential.accessKey);
    if (key === undefined) throw new Fault('badToken', { detail: 'no such key, or disabled' });
    await call.readBody();
    if (!isSignedBy(key, credential, call, dialect))
      throw new Fault('badToken', { detail: 'wrong signature' });
    if (credential.scheme === 'old') refuseOldForm(key);
    else checkDate(call.header(dateHeader), key, dialect);
    return key;
  }

  return {
    async call(call) {
      const credential = parseCredential(call.header('authorization'), dialect);
      if (credential === undefined) throw new Fault('badToken', { detail: 'no credential' });
      if (credential.kind === 'signature') {
        const key = await signer(call, credential);
        return { uid: key.uid, key };
      }
      // A token that travelled in the clear may be in anybody's hands.
      if (!call.peer.secure && !plainHttp)
        throw new Fault('badToken', { detail: 'an access token over plain HTTP' });
      const token = await tokens.find(credential.token);
      if (token === 'expired') throw new Fault('tokenExpired');
      if (token === undefined) throw new Fault('badToken', { detail: 'no such access token' });
      await call.readBody();
      return { uid: token.uid };
    },
    async accountCall(call) {
      const credential = parseCredential(call.header('authorization'), dialect);
      if (credential?.kind !== 'signature' || credential.scheme !== 'new')
        throw new Fault('failedAuthentication');
      try {
        return await signer(call, credential);
      } catch (error) {
        if (error instanceof Fault && error.status < 500)
          throw new Fault('failedAuthentication', { detail: error.message });
        throw error;
      }
    },
  };
}

function isSignedBy(key: AccessKey, credential: SignatureCredential, call: Call, dialect: Dialect): boolean {
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

/** A date that the old form does not sign says nothing about the request's age: whoever demands one refuses the form. */
function refuseOldForm(key: AccessKey): void {
  if (!key.oldSigning || key.dateRequired)
    throw new Fault('badToken', { detail: 'the account refuses the old signing' });
}

function checkDate(value: string | undefined, key: AccessKey, dialect: Dialect): void {
  if (value === undefined) {
    if (key.dateRequired) throw new Fault('badToken', { detail: 'the account demands a request date' });
    return;
  }
  const date = parseRequestDate(value);
  if (date === undefined || !isRequestDateFresh(date, new Date())) {
    throw new Fault(dialect.badDateFault, { detail: 'request date malformed or too far off' });
  }
}

function* headerPairs(raw: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? '', raw[i + 1] ?? ''];
}
