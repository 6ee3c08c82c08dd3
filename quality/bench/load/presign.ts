/** Presigned URLs of the engine (AWS Signature Version 4, query form): the bare side needs no S3 library. */
import { createHmac, hash } from 'node:crypto';
import type { Engine } from './work.ts';

const VALID_SECONDS = 6 * 3600;

/** Path and query of a request on a key (empty: on the bucket) that the engine will answer. */
export function presigner(
  engine: Engine,
): (method: string, key: string, parameters?: readonly (readonly [string, string])[]) => string {
  const date = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const scope = `${date.slice(0, 8)}/${engine.region}/s3/aws4_request`;
  const signingKey = [date.slice(0, 8), engine.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, text) => createHmac('sha256', key).update(text).digest(),
    `AWS4${engine.secretKey}`,
  );
  const fixed: readonly (readonly [string, string])[] = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${engine.accessKey}/${scope}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(VALID_SECONDS)],
    ['X-Amz-SignedHeaders', 'host'],
  ];
  const fixedQuery = queryOf(fixed);
  return (method, key, parameters = []) => {
    const bucket = `${engine.root ?? ''}/${engine.bucket}`;
    const path = key === '' ? bucket : `${bucket}/${key}`;
    const query = parameters.length === 0 ? fixedQuery : queryOf([...fixed, ...parameters]);
    const canonical = `${method}\n${path}\n${query}\nhost:${hostOf(engine)}\n\nhost\nUNSIGNED-PAYLOAD`;
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical, 'hex')}`;
    const signature = createHmac('sha256', signingKey).update(text).digest('hex');
    return `${path}?${query}&X-Amz-Signature=${signature}`;
  };
}

export function hostOf({ host, port }: { host: string; port: number }): string {
  return `${host}:${port}`;
}

function queryOf(parameters: readonly (readonly [string, string])[]): string {
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
}
