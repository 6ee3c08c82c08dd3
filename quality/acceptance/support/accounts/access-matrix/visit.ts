/** Makes the calls of the table, each with the credential that its row asks for. */
import { randomBytes } from 'node:crypto';
import {
  type AccessKeyPair,
  FORM_TYPE,
  formatEntry,
  makeUploadToken,
  signDownloadUrl,
} from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import type { RawResponse } from '../../raw.ts';
import { type Secure, secureSend } from '../../running/secure.ts';
import { authorize, type Call } from '../../signing.ts';
import type { MatrixFixture, Row } from './row.ts';

/** What is shown where a signature is asked for, and where a token will do. */
export interface Visitor {
  readonly keys?: AccessKeyPair;
  readonly token?: string;
  readonly expired?: true;
}

export function placeOf(bucket: string, child: string): MatrixFixture {
  const bucketHost = `${bucket}.dl.example.test`;
  const names = { bucket, child, bucketHost, domain: `${bucket}.files.test`, key: 'k' };
  return {
    ...names,
    entry: formatEntry(bucket, 'k'),
    get fresh() {
      return `m-${randomBytes(8).toString('hex')}`;
    },
  };
}

export async function visit(
  row: Row,
  method: string,
  visitor: Visitor,
  where: MatrixFixture,
  at: Secure,
): Promise<RawResponse> {
  const call: Call = { method, ...row.call(where) };
  if (row.credential === 'form') return visitUpload(visitor, where, at);
  if (row.credential === 'upload header') {
    const token = uploadTokenOf(visitor, where);
    return secureSend(call, token && `UpToken ${token}`, at);
  }
  if (row.credential === 'url') return secureSend(signedUrl(call, visitor, at), undefined, at);
  const signed = visitor.keys && authorize(call, { url: at.url, keys: visitor.keys });
  return secureSend(call, visitor.token === undefined ? signed : `Svc ${visitor.token}`, at);
}

/** As the table writes it. */
export function written(answer: RawResponse): string {
  if (answer.status === 200 || answer.body.length === 0) return String(answer.status);
  const { error, error_code: code } = answer.json() as { error?: string; error_code?: number };
  return `${answer.status} ${code === undefined ? error : `#${code}`}`;
}

function deadlineFor({ expired }: Visitor): number {
  return Math.floor(Date.now() / 1000) + (expired ? -60 : 3600);
}

function uploadTokenOf(visitor: Visitor, { bucket, key }: MatrixFixture): string | undefined {
  const policy = JSON.stringify({ scope: `${bucket}:${key}`, deadline: deadlineFor(visitor) });
  return visitor.keys && makeUploadToken(hashing, visitor.keys, policy);
}

async function visitUpload(visitor: Visitor, fixture: MatrixFixture, at: Secure): Promise<RawResponse> {
  const form = new FormData();
  const token = uploadTokenOf(visitor, fixture);
  if (token !== undefined) form.set('token', token);
  form.set('key', fixture.key);
  form.set('file', new Blob(['hello']), 'file');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? FORM_TYPE;
  return secureSend({ target: '/', contentType, body: await encoded.text() }, undefined, at);
}

function signedUrl(call: Call, visitor: Visitor, at: Secure): Call {
  if (visitor.keys === undefined) return call;
  const base = call.host === undefined ? at.url : `https://${call.host}`;
  const signed = signDownloadUrl(hashing, visitor.keys, base + call.target, deadlineFor(visitor));
  return { ...call, target: signed.slice(base.length) };
}
