/**
 * AWS Signature Version 4 for S3, header and query form. Written for many small requests: the signing key is cached per day,
 * the date text per second, and the payload is not hashed (`UNSIGNED-PAYLOAD`; Content-MD5 guards the bytes where that is
 * wanted).
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { encodeUnreserved } from '@millpond/protocol/s3';

export interface S3Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface SignRequest {
  readonly method: string;
  /** `Host` as it goes over the wire, with the port unless it is the scheme's default. */
  readonly host: string;
  /** Already encoded as it goes over the wire. */
  readonly path: string;
  /** Already encoded and sorted by name, without `?`; canonicalQuery makes one. */
  readonly query: string;
  /** Name, value, name, value…; lower-case names, trimmed values. All of them are signed. */
  readonly headers: readonly string[];
  /** SHA-256 of the body in hex; without it the payload is not signed. */
  readonly payloadHash?: string | undefined;
}

export interface PresignRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly expiresSeconds: number;
  /** Further query parameters, not encoded. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export interface Signer {
  /** The headers to send: those given, and x-amz-date, x-amz-content-sha256 and authorization. */
  sign(request: SignRequest, now: number): string[];
  /** The query string, signature included, that lets anyone make this request until it expires. */
  presign(request: PresignRequest, now: number): string;
}

const UNSIGNED = 'UNSIGNED-PAYLOAD';

export function createSigner({ accessKey, secretKey, region }: S3Credentials): Signer {
  const firstKey = createSecretKey(Buffer.from(`AWS4${secretKey}`, 'utf8'));
  let keyDay = '';
  let keyOfDay: KeyObject = firstKey;
  let dateSecond = -1;
  let dateText = '';

  function dateOf(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== dateSecond) {
      dateText = `${new Date(second * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
      dateSecond = second;
    }
    return dateText;
  }

  function signingKey(day: string): KeyObject {
    if (day !== keyDay) {
      let key = firstKey;
      for (const text of [day, region, 's3', 'aws4_request'])
        key = createSecretKey(createHmac('sha256', key).update(text).digest());
      keyOfDay = key;
      keyDay = day;
    }
    return keyOfDay;
  }

  function signatureOf(canonicalRequest: string, date: string, scope: string): string {
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonicalRequest, 'hex')}`;
    return createHmac('sha256', signingKey(date.slice(0, 8)))
      .update(text)
      .digest('hex');
  }

  return {
    sign({ method, host, path, query, headers, payloadHash = UNSIGNED }, now) {
      const date = dateOf(now);
      const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
      const sent = [...headers, 'x-amz-content-sha256', payloadHash, 'x-amz-date', date];
      const { lines, names } = canonicalHeaders(sent, host);
      const canonical = `${method}\n${path}\n${query}\n${lines}\n${names}\n${payloadHash}`;
      const signature = signatureOf(canonical, date, scope);
      sent.push(
        'authorization',
        `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${names},Signature=${signature}`,
      );
      return sent;
    },

    presign({ method, host, path, expiresSeconds, parameters }, now) {
      const date = dateOf(now);
      const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
      const query = canonicalQuery([
        ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
        ['X-Amz-Credential', `${accessKey}/${scope}`],
        ['X-Amz-Date', date],
        ['X-Amz-Expires', String(expiresSeconds)],
        ['X-Amz-SignedHeaders', 'host'],
        ...parameters,
      ]);
      const canonical = `${method}\n${path}\n${query}\nhost:${host}\n\nhost\n${UNSIGNED}`;
      return `${query}&X-Amz-Signature=${signatureOf(canonical, date, scope)}`;
    },
  };
}

function canonicalHeaders(headers: readonly string[], host: string): { lines: string; names: string } {
  const pairs: [name: string, line: string][] = [['host', `host:${host}\n`]];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    pairs.push([name, `${name}:${headers[at + 1]}\n`]);
  }
  pairs.sort((one, other) => (one[0] < other[0] ? -1 : 1));
  let lines = '';
  let names = '';
  for (const [name, line] of pairs) {
    lines += line;
    names += names === '' ? name : `;${name}`;
  }
  return { lines, names };
}

/** A query string in the form that is both sent and signed. */
export function canonicalQuery(parameters: readonly (readonly [name: string, value: string])[]): string {
  return parameters
    .map(([name, value]) => [encodeUnreserved(name), encodeUnreserved(value)] as const)
    .sort((one, other) => (one[0] < other[0] ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
