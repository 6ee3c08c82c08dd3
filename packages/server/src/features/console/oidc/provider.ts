/**
 * The provider that people sign in with: code flow with PKCE, by openid-client, which is loaded when the first of them does.
 * Every request to it goes through the guarded client.
 */
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { Outbound } from '../../../platform/outbound/index.ts';
import type { Claims } from './mapping.ts';
import { Refusal } from './refusal.ts';
import type { Trip } from './trip.ts';

/** Settings by name. */
export interface ProviderSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string | undefined;
  readonly oidcScopes: string;
}

type Library = typeof import('openid-client');

interface Known {
  readonly library: Library;
  readonly configuration: Configuration;
  /** On this process's monotonic clock. */
  readonly at: number;
}

/** What a provider says about itself is read again after this long. */
const KNOWN_MS = 600_000;
const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: 15_000,
  maxHeaderBytes: 64 * 1024,
  maxBodyBytes: 1024 * 1024,
};

export class Provider {
  readonly #settings: ProviderSettings;
  readonly #fetch: CustomFetch;
  #known: Promise<Known> | undefined;

  constructor(settings: ProviderSettings, outbound: Outbound) {
    this.#settings = settings;
    this.#fetch = fetchBy(outbound);
  }

  /** Where the browser goes to sign in. */
  async signInUrl({ state, nonce, verifier }: Trip, redirectUri: string): Promise<string> {
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
  async claims(callback: URL, { state, nonce, verifier }: Trip): Promise<Claims> {
    const { library, configuration } = await this.#find();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await library.authorizationCodeGrant(configuration, callback, {
        ...checks,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Refusal('wrongProvider', 'the provider sent no ID token');
      // Many providers put only the subject into the ID token, and the rest here.
      const more =
        configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #find(): Promise<Known> {
    const known = await this.#known?.catch(() => undefined);
    if (known !== undefined && performance.now() - known.at < KNOWN_MS) return known;
    const asked = this.#discover();
    this.#known = asked;
    try {
      return await asked;
    } catch (error) {
      this.#known = undefined;
      throw refusalOf(error);
    }
  }

  async #discover(): Promise<Known> {
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
function fetchBy(outbound: Outbound): CustomFetch {
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

/** What the library throws, in words for whoever tries to sign in. The cause is for the log. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { error: said, code = '', name = '' } = error as { error?: string; code?: string; name?: string };
  const cause = { cause: error };
  if (name === 'AuthorizationResponseError' || name === 'ResponseBodyError')
    return new Refusal('providerRefused', `the provider refused: ${wordsOf(said)}`, cause);
  if (code === 'OAUTH_INVALID_RESPONSE' || /_COMPARISON_FAILED$/.test(code))
    return new Refusal('wrongProvider', 'the answer is not from the provider that is configured', cause);
  return new Refusal('providerAway', 'the provider does not answer as it should: try again later', cause);
}

/** An error code of OAuth, such as `access_denied`; nothing else of what came is repeated. */
function wordsOf(said: string | undefined): string {
  return said !== undefined && /^[a-z_]{1,40}$/.test(said) ? said : 'for a reason that it does not name';
}
