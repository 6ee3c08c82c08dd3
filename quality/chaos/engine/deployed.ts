/** Where a deployment's bytes are in the engine. */
import type { Deployment } from '@millpond/testing';
import type { S3Location } from './s3.ts';

export function enginePlace({ environment, engineBucket }: Deployment): S3Location {
  return {
    endpoint: environment.MILLPOND_S3_ENDPOINT ?? '',
    region: environment.MILLPOND_S3_REGION ?? 'default',
    accessKey: environment.MILLPOND_S3_ACCESS_KEY ?? '',
    secretKey: environment.MILLPOND_S3_SECRET_KEY ?? '',
    bucket: engineBucket,
  };
}
