/** AWS's own SDK for JavaScript, pointed at the listener and otherwise with its defaults. */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { target } from '../target.ts';
import { plainS3, type S3Fixture } from './fixtures.ts';

/** It ends with the test. */
export function s3Sdk(at: S3Fixture = plainS3): S3Client {
  const { accessKey, secretKey } = target.account;
  const tls =
    at.certificate === undefined ? {} : { httpsAgent: new Agent({ ca: readFileSync(at.certificate) }) };
  const client = new S3Client({
    endpoint: at.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: 1,
    requestHandler: tls,
  });
  onTestFinished(() => client.destroy());
  return client;
}
