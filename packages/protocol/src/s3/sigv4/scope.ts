/** The scope of a credential, `<access key>/<day>/<region>/s3/aws4_request`. */
import { S3Fault } from '../fault.ts';

export interface Credential {
  readonly accessKey: string;
  /** `20130524`. */
  readonly day: string;
  /** Any text, also none: it is part of what is signed, and clients have all kinds of defaults. */
  readonly region: string;
  /** All but the access key. */
  readonly scope: string;
}

/** Access keys are looked up, so what can't be one stops here. */
const ACCESS_KEY = /^[\x21-\x7e]{1,128}$/;

/** `refuse` makes the fault for a malformed one. Parts count from the right: an access key may contain slashes. */
export function parseCredential(text: string, refuse: (message: string) => S3Fault): Credential {
  const parts = text.split('/');
  const [day = '', region = '', service, end] = parts.splice(-4);
  if (parts.length === 0 || end !== 'aws4_request')
    throw refuse(
      'the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    );
  if (!/^\d{8}$/.test(day))
    throw refuse('incorrect date format. This date in the credential must be in the format "yyyyMMdd".');
  if (service !== 's3') throw refuse('incorrect service. This endpoint belongs to "s3".');
  return {
    accessKey: checkAccessKey(parts.join('/')),
    day,
    region,
    scope: `${day}/${region}/s3/aws4_request`,
  };
}

export function checkAccessKey(accessKey: string): string {
  if (!ACCESS_KEY.test(accessKey)) throw unknownAccessKey(accessKey);
  return accessKey;
}

/** Also for keys that exist and may not be used. */
export function unknownAccessKey(accessKey: string): S3Fault {
  return new S3Fault('InvalidAccessKeyId', { details: { AWSAccessKeyId: accessKey.slice(0, 128) } });
}
