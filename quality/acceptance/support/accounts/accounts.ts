/** Account and token calls in short words, and children to make them with. */
import { randomBytes } from 'node:crypto';
import type { AccessKeyPair } from '@millpond/protocol';
import type { Account } from '@millpond/testing';
import { expect } from 'vitest';
import type { RawResponse } from '../raw.ts';
import { type Secure, secureSend, secureSigned } from '../running/secure.ts';
import { target } from '../target.ts';

export interface AccountRecord {
  readonly userid: string;
  readonly uid: number;
  readonly parent_uid: number;
  readonly email: string;
  readonly is_disabled: boolean;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

/** An account with everything that lets one in. */
export interface Person extends Account {
  readonly password: string;
}

type Form = Readonly<Record<string, string>>;

export function newEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

export function info(keys: AccessKeyPair, at?: Secure): Promise<RawResponse> {
  return secureSigned({ target: '/v1/user/info' }, signedBy(keys, at));
}

export function children(keys: AccessKeyPair, query: Form = {}, at?: Secure): Promise<RawResponse> {
  const text = new URLSearchParams(query).toString();
  const path = `/v1/user/children${text === '' ? '' : `?${text}`}`;
  return secureSigned({ method: 'GET', target: path }, signedBy(keys, at));
}

/** A POST to `/v1/user/<name>`. */
export function userCall(
  name: string,
  form: Form,
  keys: AccessKeyPair = target.account,
  at?: Secure,
): Promise<RawResponse> {
  const body = new URLSearchParams(form).toString();
  return secureSigned({ target: `/v1/user/${name}`, body }, signedBy(keys, at));
}

export function childKey(
  query: Form,
  keys: AccessKeyPair = target.account,
  at?: Secure,
): Promise<RawResponse> {
  const call = { method: 'GET', target: `/v1/user/child_key?${new URLSearchParams(query).toString()}` };
  return secureSigned(call, signedBy(keys, at));
}

/** A new child, with its password and its first key. */
export async function newChild(parent: AccessKeyPair = target.account, at?: Secure): Promise<Person> {
  const [email, password] = [newEmail(), randomBytes(9).toString('base64')];
  const created = await userCall('create_child', { email, password }, parent, at);
  expect(created.status, created.text()).toBe(200);
  const { uid } = created.json() as AccountRecord;
  const keys = await childKey({ uid: String(uid) }, parent, at);
  expect(keys.status, keys.text()).toBe(200);
  const { key, secret } = keys.json() as { key: string; secret: string };
  return { uid, email, password, accessKey: key, secretKey: secret };
}

/** The token call with this form. */
export function tokenCall(form: Form, at?: Secure): Promise<RawResponse> {
  return secureSend({ target: '/oauth2/token', body: new URLSearchParams(form).toString() }, undefined, at);
}

export function logIn(
  { email, password }: { email: string; password: string },
  at?: Secure,
): Promise<RawResponse> {
  return tokenCall({ grant_type: 'password', username: email, password }, at);
}

export function refresh(refreshToken: string, at?: Secure): Promise<RawResponse> {
  return tokenCall({ grant_type: 'refresh_token', refresh_token: refreshToken }, at);
}

/** The token response of a call that must have succeeded. */
export async function tokensOf(answer: Promise<RawResponse>): Promise<TokenResponse> {
  const given = await answer;
  expect(given.status, given.text()).toBe(200);
  return given.json() as TokenResponse;
}

/** An object or account call with an access token. */
export function withToken(
  accessToken: string,
  call: { method?: string; target: string; body?: string },
  at?: Secure,
): Promise<RawResponse> {
  return secureSend(call, `Svc ${accessToken}`, at);
}

function signedBy(keys: AccessKeyPair, at: Secure | undefined): { keys: AccessKeyPair; at?: Secure } {
  return at === undefined ? { keys } : { keys, at };
}
