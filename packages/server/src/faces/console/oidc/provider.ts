/**
 * The provider that people sign in with: code flow with PKCE, by openid-client, which is loaded when the first of them does.
 * Every request to it goes through the guarded client.
 */
import type { OutboundClient } from '@millpond/outbound';
import { MIB } from '@millpond/protocol';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { ProvidedClaims } from './oidc.claims.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { SignInError } from './sign-in-error.ts';

/** Settings by name. */
export interface ProviderSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string | undefined;
  readonly oidcScopes: string;
}

/** What the provider can be asked with again, about somebody who signed in. */
export interface ProviderTokens {
  readonly accessToken: string;
  /** Unix milliseconds. */
  readonly accessUntil: number;
  readonly refreshToken?: string | undefined;
  /** What is asked for is in the user info, for which the access token is enough while it lasts. */
  readonly isInUserInfo: boolean;
}

export interface SignedIn {
  readonly claims: ProvidedClaims;
  readonly tokens: Omit<ProviderTokens, 'isInUserInfo'>;
  /** How long the ID token, and so its claims, hold. */
  readonly holdsMs: number;
}

type Library = typeof import('openid-client');
type TokenResponse = Awaited<ReturnType<Library['refreshTokenGrant']>>;

interface CachedMetadata {
  readonly library: Library;
  readonly configuration: Configuration;
  /** On this process's monotonic clock. */
  readonly at: number;
}

/** OpenID Connect allows no longer one. */
const MAX_SUBJECT_LENGTH = 255;
/** What a provider says about itself is read again after this long. */
const KNOWN_MS = 600_000;
const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: 15_000,
  maxHeaderBytes: 64 * 1024,
  maxBodyBytes: MIB,
};

export class Provider {
  readonly #settings: ProviderSettings;
  readonly #fetch: CustomFetch;
  #known: Promise<CachedMetadata> | undefined;

  constructor(settings: ProviderSettings, outbound: OutboundClient) {
    this.#settings = settings;
    this.#fetch = fetchBy(outbound);
  }

  /** Where the browser goes to sign in. */
  async signInUrl({ state, nonce, verifier }: PendingSignIn, redirectUri: string): Promise<string> {
    const { library, configuration } = await this.#find();
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.oidcScopes,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return url.href;
  }

  /** Who signed in, by the URL that the browser came back with. */
  async signedIn(callback: URL, { state, nonce, verifier }: PendingSignIn): Promise<SignedIn> {
    const { library, configuration } = await this.#find();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const answer = await library.authorizationCodeGrant(configuration, callback, {
        ...checks,
        idTokenExpected: true,
      });
      const idToken = answer.claims();
      if (idToken === undefined || idToken.sub.length > MAX_SUBJECT_LENGTH)
        throw new SignInError(
          'wrongProvider',
          'the provider sent no ID token, or a subject of no usable form',
        );
      const { iss: issuer, sub: subject } = idToken;
      const userInfo = await userInfoOf(library, configuration, answer.access_token, subject);
      return {
        claims: { issuer, subject, idToken, userInfo },
        tokens: tokensOf(answer),
        holdsMs: Math.max(0, idToken.exp * 1000 - Date.now()),
      };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** What the provider says of the same person now; refuses with `providerAway` if it says nothing. */
  async saysNow(
    { issuer, subject }: Pick<ProvidedClaims, 'issuer' | 'subject'>,
    tokens: ProviderTokens,
  ): Promise<{ readonly claims: ProvidedClaims; readonly tokens: ProviderTokens }> {
    const { library, configuration } = await this.#find();
    try {
      const { isInUserInfo, refreshToken } = tokens;
      if (refreshToken === undefined || (isInUserInfo && Date.now() < tokens.accessUntil)) {
        const userInfo = await userInfoOf(library, configuration, tokens.accessToken, subject);
        return { claims: { issuer, subject, idToken: {}, userInfo }, tokens };
      }
      const answer = await library.refreshTokenGrant(configuration, refreshToken);
      const idToken = answer.claims() ?? {};
      if ('sub' in idToken && idToken.sub !== subject)
        throw new SignInError('wrongProvider', 'the provider refreshed the tokens of another subject');
      const userInfo = await userInfoOf(library, configuration, answer.access_token, subject);
      return {
        claims: { issuer, subject, idToken, userInfo },
        tokens: { isInUserInfo, refreshToken, ...tokensOf(answer) },
      };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #find(): Promise<CachedMetadata> {
    const cachedMetadata = await this.#known?.catch(() => undefined);
    if (cachedMetadata !== undefined && performance.now() - cachedMetadata.at < KNOWN_MS)
      return cachedMetadata;
    const asked = this.#discover();
    this.#known = asked;
    try {
      return await asked;
    } catch (error) {
      this.#known = undefined;
      throw refusalOf(error);
    }
  }

  async #discover(): Promise<CachedMetadata> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.#settings;
    const library = await import('openid-client');
    const isPlain = oidcIssuer.startsWith('http:');
    const configuration = await library.discovery(
      new URL(oidcIssuer),
      oidcClientId,
      {},
      clientAuthentication(library, oidcClientSecret),
      {
        [library.customFetch]: this.#fetch,
        timeout: LIMITS.totalMs / 1000,
        execute: [
          // The ID token is verified by its signature too, not only by where it came from.
          library.enableNonRepudiationChecks,
          ...(isPlain ? [library.allowInsecureRequests] : []),
        ],
      },
    );
    return { library, configuration, at: performance.now() };
  }
}

/** Many providers put only the subject into the ID token, and the rest here. The library compares the subject. */
async function userInfoOf(
  library: Library,
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<ProvidedClaims['userInfo']> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return library.fetchUserInfo(configuration, accessToken, subject);
}

function tokensOf({
  access_token,
  expires_in = 0,
  refresh_token,
}: TokenResponse): Omit<ProviderTokens, 'isInUserInfo'> {
  return {
    accessToken: access_token,
    accessUntil: Date.now() + expires_in * 1000,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
  };
}

/** By the method that the provider prefers, of those that send a secret. */
function clientAuthentication(library: Library, secret: string | undefined): ClientAuth {
  if (secret === undefined) return library.None();
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? basic : post;
    method(server, client, body, headers);
  };
}

/** The guarded client in the form that the library takes. */
function fetchBy(outbound: OutboundClient): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const { accept, authorization, 'content-type': contentType } = headers;
    const answer = await outbound.send({
      url,
      method: method as 'GET' | 'POST',
      headers: {
        ...(accept !== undefined && { accept }),
        ...(authorization !== undefined && { authorization }),
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      body: bytesOf(body),
      limits: LIMITS,
      signal,
    });
    const type = answer.headers['content-type'];
    const hasBody = answer.status >= 200 && answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };
}

/** It sends forms only. */
function bytesOf(form: unknown): Buffer | undefined {
  if (form instanceof URLSearchParams) return Buffer.from(form.toString());
  if (form === undefined || form === null) return undefined;
  throw new TypeError('a request to the provider has a body of an unknown kind');
}

/** Error codes of a response that came, but is not what it should be. */
const WRONG =
  /^OAUTH_(?:INVALID_RESPONSE|PARSE_ERROR|RESPONSE_IS_NOT_JSON|UNSUPPORTED_OPERATION|[A-Z_]+_FAILED|JWT_USERINFO_EXPECTED)$/;
/** Refusals of the moment. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** What the library throws, as a word. The cause is for the log. */
function refusalOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  const { error: said, code = '', name = '', cause } = error as LibraryError;
  const options = { cause: error };
  if (name === 'AuthorizationResponseError' && said === 'access_denied')
    return new SignInError('accessDenied', said, options);
  if (name === 'AuthorizationResponseError' || name === 'ResponseBodyError')
    return new SignInError('providerRefused', said, options);
  const status = cause instanceof Response ? cause.status : 0;
  const isRefused = status >= 400 && status < 500 && !TEMPORARY.has(status);
  if (name === 'WWWAuthenticateChallengeError' || isRefused)
    return new SignInError('providerRefused', `the provider answered ${status}`, options);
  if (WRONG.test(code)) return new SignInError('wrongProvider', code, options);
  return new SignInError('providerAway', code, options);
}

interface LibraryError {
  readonly error?: string;
  readonly code?: string;
  readonly name?: string;
  readonly cause?: unknown;
}
