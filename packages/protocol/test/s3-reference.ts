/**
 * A second verifier of version 4, written naively and without looking at ours, so that a test can ask both: bytes in
 * Buffers, one rule a line, no care for speed.
 */
import { createHash, createHmac } from 'node:crypto';
import type { SignedRequest } from './s3-signer.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function unescaped(text: string, plus: boolean): Buffer {
  const spaced = plus ? text.replace(/\+/g, ' ') : text;
  return latin1(
    spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

function escaped(bytes: Buffer, kept: string): string {
  return [...bytes]
    .map((byte) => String.fromCharCode(byte))
    .map((c) =>
      /[A-Za-z0-9]/.test(c) || kept.includes(c)
        ? c
        : `%${c.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    )
    .join('');
}

/** Whether a request is to be accepted, by header or by query. */
export function referenceAccepts(
  request: SignedRequest,
  accessKey: string,
  secretKey: string,
  now: number,
): boolean {
  const pairs = (request.query ?? '')
    .split('&')
    .filter((field) => field.length > 0)
    .map((field) => {
      const [name = '', ...rest] = field.split('=');
      return { name: unescaped(name, true).toString('latin1'), value: unescaped(rest.join('='), true) };
    });
  const values = (name: string) =>
    pairs.filter((pair) => pair.name === name).map((p) => p.value.toString('latin1'));
  const headers: [string, string][] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    headers.push([(request.rawHeaders[i] ?? '').toLowerCase(), request.rawHeaders[i + 1] ?? '']);
  const valuesOf = (name: string) => headers.filter(([other]) => other === name).map(([, value]) => value);
  const joined = (name: string) =>
    valuesOf(name)
      .map((v) =>
        v
          .replace(/[ \t]+/g, ' ')
          .replace(/^ /, '')
          .replace(/ $/, ''),
      )
      .join(',');

  const authorizations = valuesOf('authorization').filter((value) => value.trim() !== '');
  if (valuesOf('authorization').length > 1) return false;
  const inQuery = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature'].some(
    (name) => values(name).length > 0,
  );
  if (inQuery && authorizations.length > 0) return false;
  if (values('Signature').length > 0 && values('AWSAccessKeyId').length > 0) return false;
  const token = [
    ...valuesOf('x-amz-security-token'),
    ...pairs.filter((p) => p.name.toLowerCase() === 'x-amz-security-token').map((p) => p.value.toString()),
  ];
  if (token.some((value) => value !== '')) return false;

  let credential: string;
  let signed: string;
  let signature: string;
  let date: string;
  let payload: string;
  if (inQuery) {
    const six = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map((name) =>
      values(`X-Amz-${name}`),
    );
    if (six.some((found) => found.length !== 1)) return false;
    let algorithm: string;
    let expires: string;
    [algorithm, credential, date, expires, signed, signature] = six.map(([only = '']) => only) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    if (algorithm !== 'AWS4-HMAC-SHA256' || !/^\d+$/.test(expires)) return false;
    if (Number(expires) < 1 || Number(expires) > 604800) return false;
    const time = timeOf(date);
    if (time === undefined || now > time + Number(expires) * 1000 || now < time - 900_000) return false;
    payload =
      pairs.find((pair) => pair.name.toLowerCase() === 'x-amz-content-sha256')?.value.toString('latin1') ??
      (valuesOf('x-amz-content-sha256').length > 0 ? joined('x-amz-content-sha256') : 'UNSIGNED-PAYLOAD');
    if (payload.startsWith('STREAMING-AWS4')) return false;
  } else {
    const match = /^AWS4-HMAC-SHA256[ \t]+(.*)$/s.exec((authorizations[0] ?? '').trim());
    if (match === null) return false;
    const parts = (match[1] ?? '').split(',').map((part) => part.trim());
    const part = (name: string) => {
      const found = parts.filter((one) => one.split('=')[0]?.trim() === name);
      return found.length === 1 ? (found[0] ?? '').slice((found[0] ?? '').indexOf('=') + 1).trim() : '';
    };
    if (parts.length !== 3) return false;
    [credential, signed, signature] = [part('Credential'), part('SignedHeaders'), part('Signature')];
    if (valuesOf('x-amz-date').length > 0) date = joined('x-amz-date');
    else {
      const time = Date.parse(joined('date'));
      if (Number.isNaN(time) || new Date(time).toUTCString() !== joined('date')) return false;
      date = new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
    }
    const time = timeOf(date);
    if (time === undefined || Math.abs(now - time) > 900_000) return false;
    if (valuesOf('x-amz-content-sha256').length === 0) return false;
    payload = joined('x-amz-content-sha256');
  }
  const modes = [
    'UNSIGNED-PAYLOAD',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  ];
  if (!modes.includes(payload) && !/^[0-9a-f]{64}$/.test(payload)) return false;

  const scope = credential.split('/').slice(-4);
  if (credential.slice(0, credential.length - scope.join('/').length) !== `${accessKey}/`) return false;
  const [day = '', region = '', service, end] = scope;
  if (service !== 's3' || end !== 'aws4_request' || day !== date.slice(0, 8)) return false;
  const names = signed.split(';').map((name) => name.toLowerCase());
  if (names.some((name) => name === '') || !names.includes('host')) return false;
  if (headers.some(([name]) => name.startsWith('x-amz-') && !names.includes(name))) return false;

  const query = pairs
    .filter((pair) => pair.name !== 'X-Amz-Signature')
    .map((pair) => [escaped(latin1(pair.name), '-._~'), escaped(pair.value, '-._~')] as const)
    .sort((a, b) => Buffer.compare(latin1(a[0]), latin1(b[0])) || Buffer.compare(latin1(a[1]), latin1(b[1])))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const canonical = latin1(
    `${request.method}\n${escaped(unescaped(request.path, false), '-._~/')}\n${query}\n` +
      `${names.map((name) => `${name}:${joined(name)}\n`).join('')}\n${signed}\n${payload}`,
  );
  const hash = createHash('sha256').update(canonical).digest('hex');
  let key = createHmac('sha256', `AWS4${secretKey}`).update(day).digest();
  for (const part of [region, 's3', 'aws4_request'])
    key = createHmac('sha256', key).update(latin1(part)).digest();
  const text = latin1(`AWS4-HMAC-SHA256\n${date}\n${scope.join('/')}\n${hash}`);
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}

function timeOf(date: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) || new Date(time).toISOString().replace(/[-:]|\.\d+/g, '') !== date
    ? undefined
    : time;
}
