/** The S3 listener of the deployment under test, plain and over TLS, for tests that do the same on both. */
import { randomBytes } from 'node:crypto';
import { target } from '../target.ts';

export interface S3Fixture {
  readonly name: 'plain HTTP' | 'TLS';
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** A file with the certificate to trust; undefined without TLS. */
  readonly certificate: string | undefined;
}

function placeOf(name: S3Fixture['name'], url: string, certificate?: string): S3Fixture {
  return { name, url, host: new URL(url).host, certificate };
}

export const plainS3 = placeOf('plain HTTP', target.s3.url);
const secureS3 = placeOf('TLS', target.s3.secureUrl, target.trusted.certificate);
export const s3Places: readonly S3Fixture[] = [plainS3, secureS3];

/** For a bucket that a client makes itself. */
export function s3BucketName(): string {
  return `s3-${randomBytes(6).toString('hex')}`;
}
