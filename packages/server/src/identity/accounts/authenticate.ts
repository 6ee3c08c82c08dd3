/**
 * Who makes a call. A signature is verified over the raw bytes received; an unknown key, a disabled key and a wrong
 * signature give the same answer. A credential with a colon is a signature and nothing else; one without is an access
 * token. A body that the signature does not cover is treated as if it had not been sent. A session of the console stands for the
 * account, or for one of its keys; who has it was found out before.
 */
import { currentTrace } from '@millpond/base';
import {
  type Credential,
  type Dialect,
  dateHeaderName,
  deliveryHeaderName,
  Fault,
  isBodySigned,
  isLegacyBodySigned,
  isRequestDateFresh,
  legacyStringToSign,
  type ManagementRequest,
  managementStringToSign,
  parseCredential,
  parseRequestDate,
  verifyLegacyManagement,
  verifyManagement,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { CallSession, RequestContext } from '../../platform/web/index.ts';
import { assertCallWithinKeyLimits, type PermissionsForCall } from './keys/key-limits.ts';
import type { AccessKey, Keyring } from './keys/keyring.ts';
import type { ExplainSignature } from './signature-diagnostics.ts';
import { type Tenants, tenantOf } from './tenants.ts';
import type { Tokens } from './tokens/tokens.ts';

export interface Principal {
  readonly uid: bigint;
  /** The key that signed, or whose rights a session has; absent if it has all of the account, as an access token has. */
  readonly key?: AccessKey;
}

/** Who makes an account call: a key, or a session of the console. */
export interface AccountCaller {
  readonly uid: bigint;
  readonly parentUid: bigint;
  /** Whether it may do what root keys may. */
  readonly isRoot: boolean;
  /** The key that signed. */
  readonly accessKey?: string | undefined;
  /** The session, if there is one. */
  readonly sessionId?: string | undefined;
  /** For the audit log. */
  readonly name: string;
}

/** `asks`: what the call asks of a limited key. Without it, limited keys are refused. */
export type Authenticate = (
  context: RequestContext,
  permissionsForCall?: PermissionsForCall,
) => Promise<Principal>;

export interface AuthenticateDeps {
  readonly keyring: Keyring;
  readonly tenants: Tenants;
  readonly tokens: Tokens;
  readonly dialect: Dialect;
  /** Development only: tokens and account calls without TLS. */
  readonly plainHttp: boolean;
  readonly explain: ExplainSignature;
}

type SignatureCredential = Extract<Credential, { kind: 'signature' }>;

/** Object, upload-side and processing calls accept both kinds of credential; account calls accept new signatures only. */
export function authenticators(deps: AuthenticateDeps): {
  call: Authenticate;
  accountCall: (context: RequestContext, permissionsForCall?: PermissionsForCall) => Promise<AccountCaller>;
} {
  const { keyring, tenants, tokens, dialect, plainHttp, explain } = deps;
  const dateHeader = dateHeaderName(dialect).toLowerCase();
  const noCredential = `no \`Authorization: ${dialect.scheme} <access key>:<signature>\` with a signature in URL-safe Base64`;
  const deliveryHeader = deliveryHeaderName(dialect).toLowerCase();

  async function signer(context: RequestContext, credential: SignatureCredential): Promise<AccessKey> {
    // It was signed for a receiver, whatever it requests here.
    if (signedHeader(context, deliveryHeader) !== undefined)
      throw new Fault('badToken', explain('this is an event that the service signed'));
    const key = await keyring.find(credential.accessKey);
    if (key === undefined) throw new Fault('badToken', explain('there is no such key, or it is disabled'));
    await context.readBody();
    const request = requestOf(context);
    const covered = coveredBy(key, credential, request, dialect);
    if (covered === undefined) {
      const text = () =>
        credential.scheme === 'old' ? legacyStringToSign(request) : managementStringToSign(request, dialect);
      throw new Fault('badToken', explain('wrong signature', text));
    }
    keyring.used(key, context.peer.address);
    context.chargeBody(tenantOf(key));
    if (covered === 'head') context.ignoreBody();
    if (credential.scheme === 'old') rejectLegacySignature(key, context, explain);
    else checkDate(signedHeader(context, dateHeader), key, dialect, explain);
    return key;
  }

  /** The session was found before the handler was called; here it takes the signature's place. */
  async function inSession(
    context: RequestContext,
    { uid, parentUid, key }: CallSession,
    permissionsForCall: PermissionsForCall | undefined,
  ): Promise<Principal> {
    await context.readBody();
    context.chargeBody(tenantOf({ uid, parentUid }));
    if (key === undefined) return { uid };
    assertCallWithinKeyLimits(key, context, permissionsForCall);
    return { uid, key };
  }

  return {
    async call(context, permissionsForCall) {
      if (context.session !== undefined) return inSession(context, context.session, permissionsForCall);
      const credential = parseCredential(context.header('authorization'), dialect);
      if (credential === undefined) throw new Fault('badToken', explain(noCredential));
      if (credential.kind === 'signature') {
        const key = await signer(context, credential);
        assertCallWithinKeyLimits(key, context, permissionsForCall);
        return { uid: key.uid, key };
      }
      // A token sent in the clear may be in anybody's hands.
      if (!context.peer.secure && !plainHttp)
        throw new Fault('badToken', explain('an access token over plain HTTP'));
      const token = await tokens.find(credential.token);
      if (token === 'expired') throw new Fault('tokenExpired');
      if (token === undefined) throw new Fault('badToken', explain('there is no such access token'));
      await context.readBody();
      context.chargeBody(await tenants.of(token.uid));
      const trace = currentTrace();
      trace?.authenticatedAs(token.uid);
      trace?.since('auth', 'access token', true);
      return { uid: token.uid };
    },
    async accountCall(context, permissionsForCall) {
      try {
        const { session } = context;
        if (session !== undefined) {
          await inSession(context, session, permissionsForCall);
          return callerInSession(session);
        }
        const credential = parseCredential(context.header('authorization'), dialect);
        if (credential?.kind !== 'signature' || credential.scheme !== 'new')
          throw new Fault('failedAuthentication', explain(noCredential));
        const key = await signer(context, credential);
        assertCallWithinKeyLimits(key, context, permissionsForCall);
        const { uid, parentUid, kind, accessKey } = key;
        return { uid, parentUid, isRoot: kind === 'root', accessKey, name: accessKey };
      } catch (error) {
        if (error instanceof Fault && error.fault === 'keyLimited')
          throw new Fault('permissionDenied', error.hint === undefined ? {} : { hint: error.hint });
        if (error instanceof Fault && (error.fault === 'badToken' || error.fault === dialect.badDateFault))
          throw new Fault('failedAuthentication', {
            detail: error.message,
            ...(error.hint !== undefined && { hint: error.hint }),
          });
        throw error;
      }
    },
  };
}

function callerInSession({ id, uid, parentUid, actor, key }: CallSession): AccountCaller {
  const isRoot = key === undefined || key.kind === 'root';
  return { uid, parentUid, isRoot, accessKey: key?.accessKey, sessionId: id, name: actor };
}

/** What the signature covers: the whole call, or all but its body; undefined if it is for something else. */
function coveredBy(
  key: AccessKey,
  credential: SignatureCredential,
  request: ManagementRequest,
  dialect: Dialect,
): 'all' | 'head' | undefined {
  const { secretKey } = key;
  const { signature } = credential;
  try {
    if (credential.scheme === 'old') {
      if (!verifyLegacyManagement(nodeHashing, secretKey, request, signature)) return undefined;
      return isLegacyBodySigned(request) ? 'all' : 'head';
    }
    if (verifyManagement(nodeHashing, secretKey, request, signature, asDocumented(dialect)))
      return isBodySigned(request) ? 'all' : 'head';
    return verifyManagement(nodeHashing, secretKey, request, signature, dialect) ? 'head' : undefined;
  } catch (error) {
    // A text that can't be signed can't have been signed.
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function requestOf(context: RequestContext): ManagementRequest {
  return {
    method: context.request.method ?? '',
    target: context.target.raw,
    host: context.host,
    port: context.request.socket.localPort,
    contentType: context.header('content-type'),
    headers: [...headerPairs(context.request.rawHeaders)],
    body: context.body,
  };
}

function asDocumented(dialect: Dialect): Dialect {
  return dialect.toleratesUnsignedBody ? { ...dialect, toleratesUnsignedBody: false } : dialect;
}

/**
 * The old form does not sign the method: a signature for a read would also permit a change. Clients that know only this
 * form only read and post, and use none of the calls under `/v1/`. A date that is not signed says nothing about the
 * request's age, so an account that demands a date refuses this form.
 */
function rejectLegacySignature(
  key: AccessKey,
  { request, target }: RequestContext,
  explain: ExplainSignature,
): void {
  if (!OLD_METHODS.has(request.method ?? '') || target.path.startsWith('/v1/'))
    throw new Fault('badToken', explain('this call does not accept the old signature'));
  if (!key.oldSigning || key.dateRequired)
    throw new Fault('badToken', explain('the account does not accept the old signature'));
}

const OLD_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function checkDate(
  value: string | undefined,
  key: AccessKey,
  dialect: Dialect,
  explain: ExplainSignature,
): void {
  if (value === undefined) {
    if (key.dateRequired) throw new Fault('badToken', explain('the account requires a request date'));
    return;
  }
  const date = parseRequestDate(value);
  if (date === undefined || !isRequestDateFresh(date, new Date())) {
    throw new Fault(dialect.badDateFault, explain('the request date is malformed or too far off'));
  }
}

/** Read from the headers that signatures are computed from: what is signed and what is judged must match. Two dates are no date. */
function signedHeader({ request }: RequestContext, lowerName: string): string | undefined {
  const values = [...headerPairs(request.rawHeaders)].filter(([name]) => name.toLowerCase() === lowerName);
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}

function* headerPairs(raw: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? '', raw[i + 1] ?? ''];
}
