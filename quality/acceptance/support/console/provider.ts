/** A real OpenID provider on this machine, somebody who signs in there, and what it may be made to say instead of the truth. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll } from 'vitest';

export const CLIENT = { id: 'console', secret: 'a secret of the console' };
/** Id of the key that signs ID tokens. */
export const KEY_ID = 'the key';
export const ID_TOKEN_SECONDS = 600;

/** What the provider says about a person. */
export type ProvidedClaims = Readonly<Record<string, unknown>>;

/** What it answers instead; it is itself where a lie is left out. */
export interface Lies {
  /** In the place of its ID token. */
  idToken?: ((claims: Record<string, unknown>) => string) | undefined;
  userInfo?: ((claims: Record<string, unknown>) => unknown) | undefined;
  /** Answers the paths that it names in the place of the provider. */
  instead?: ((path: string, response: ServerResponse) => boolean) | undefined;
}

export interface TestProvider {
  readonly issuer: string;
  /** A place that shows the same description, which names another issuer. */
  readonly impostor: string;
  readonly key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly lies: Lies;
  /** From the URL that the console led to, to the one that leads back: as the person with these claims. */
  signIn(url: string, claims: ProvidedClaims, subject?: string): Promise<string>;
  /** What it says about a person from now on. */
  change(subject: string, claims: ProvidedClaims): void;
}

export interface ProviderOptions {
  /** Otherwise all but the subject is in the user info only. */
  readonly isInIdToken?: boolean;
  readonly givesRefreshTokens?: boolean;
}

/** One person for each address, unless a test says otherwise. */
export function subjectOf({ email }: ProvidedClaims): string {
  return `person with ${JSON.stringify(email)}`;
}

/** It listens while the tests of the file run. */
export function useProvider(
  port: number,
  redirectUris: readonly string[],
  { isInIdToken = false, givesRefreshTokens = false }: ProviderOptions = {},
): TestProvider {
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, ProvidedClaims>();
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const lies: Lies = {};
  let next = '';
  const grants = ['authorization_code', ...(givesRefreshTokens ? ['refresh_token'] : [])];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: grants,
      },
    ],
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    conformIdTokenClaims: !isInIdToken,
    issueRefreshToken: () => givesRefreshTokens,
    ttl: { IdToken: ID_TOKEN_SECONDS, AccessToken: 3600, RefreshToken: 3600 },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: !isInIdToken },
    },
    cookies: { keys: ['for a test'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    interactions: { url: () => '/interaction' },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const behind = createServer((request, response) => {
    if (request.url === '/interaction')
      void provider.interactionFinished(request, response, { login: { accountId: next } });
    else {
      request.url = request.url?.replace(/^\/impostor/, '');
      void answer(request, response);
    }
  });
  const server = createServer((asked, response) => {
    if (lies.instead?.(asked.url ?? '', response)) return;
    pass(asked, response, (behind.address() as AddressInfo).port, (body) =>
      tamper(asked.url ?? '', body, lies),
    );
  });
  beforeAll(async () => {
    await once(behind.listen(0, '127.0.0.1'), 'listening');
    await once(server.listen(port, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    for (const each of [server, behind]) {
      each.closeAllConnections();
      each.close();
    }
  });
  return {
    issuer,
    impostor: `${issuer}/impostor`,
    key,
    lies,
    change: (subject, claims) => people.set(subject, claims),
    async signIn(url, claims, subject = subjectOf(claims)) {
      next = subject;
      people.set(subject, claims);
      const cookies = new Map<string, string>();
      for (let at = url; ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reached = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of reached.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = reached.headers.get('location');
        if (location === null)
          throw new Error(`the provider answered ${reached.status}: ${await reached.text()}`);
        at = new URL(location, at).href;
        if (!at.startsWith(issuer)) return at;
      }
    },
  };
}

/** To the provider behind, with the same host, and back. */
function pass(
  asked: IncomingMessage,
  response: ServerResponse,
  port: number,
  change: (body: Buffer) => Buffer,
): void {
  const { url: path, method, headers } = asked;
  const passed = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (from) => {
    const chunks: Buffer[] = [];
    from.on('data', (chunk: Buffer) => chunks.push(chunk));
    from.on('end', () => {
      const body = change(Buffer.concat(chunks));
      const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = from.headers;
      response.writeHead(from.statusCode ?? 500, { ...rest, 'content-length': body.length });
      response.end(body);
    });
  });
  passed.on('error', () => response.destroy());
  asked.pipe(passed);
}

function tamper(path: string, body: Buffer, { idToken, userInfo }: Lies): Buffer {
  if (path === '/token' && idToken !== undefined) {
    const answer = JSON.parse(body.toString()) as Record<string, unknown>;
    const [, payload = ''] = String(answer.id_token).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    return Buffer.from(JSON.stringify({ ...answer, id_token: idToken(claims) }));
  }
  if (path === '/me' && userInfo !== undefined)
    return Buffer.from(JSON.stringify(userInfo(JSON.parse(body.toString()) as Record<string, unknown>)));
  return body;
}
