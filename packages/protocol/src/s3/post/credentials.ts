/** Who signed the policy of a form, in fields of the form: version 4, or version 2, which boto3 still makes. */
import { equalTexts } from '../../equal-bytes.ts';
import type { SecretKey } from '../../hashing.ts';
import { encodePlainBase64 } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import { deriveSigningKey, signatureOf, V4_ALGORITHM } from '../sigv4/canonical.ts';
import { parseBasicDate } from '../sigv4/dates.ts';
import { type Credential, checkAccessKey, parseCredential } from '../sigv4/scope.ts';
import type { VerifyOptions } from '../sigv4/verify.ts';
import type { PostFields } from './policy.ts';

interface Signed {
  readonly accessKey: string;
  /** As it was sent: its text is what is signed. */
  readonly policy: string;
  readonly signature: string;
}

export type PostCredentials =
  | ({ readonly kind: 'v4' } & Signed & Credential)
  | ({ readonly kind: 'v2' } & Signed);

/** Undefined if the form has neither policy nor signature: it is anonymous. */
export function readPostCredentials(
  fields: PostFields,
  { allowsV2 }: { allowsV2: boolean },
): PostCredentials | undefined {
  if (fields.get('x-amz-security-token')) throw new S3Fault('InvalidToken');
  const isV4 = ['x-amz-signature', 'x-amz-credential', 'x-amz-algorithm'].some((name) => fields.has(name));
  const isV2 = fields.has('signature') || fields.has('awsaccesskeyid');
  if (!isV4 && !isV2 && !fields.has('policy')) return undefined;
  const policy = required(fields, 'policy');
  // What is signed is a text of bytes, and this one can be no other.
  if (!/^[A-Za-z0-9+/=\s]+$/.test(policy))
    throw new S3Fault('InvalidPolicyDocument', { message: 'Invalid Policy: it must be Base64' });
  if (isV2 && !isV4) {
    if (!allowsV2) throw unsupported();
    const signature = required(fields, 'signature');
    return { kind: 'v2', accessKey: checkAccessKey(required(fields, 'awsaccesskeyid')), policy, signature };
  }
  const signature = required(fields, 'x-amz-signature');
  if (required(fields, 'x-amz-algorithm') !== V4_ALGORITHM) throw unsupported();
  const credential = parseCredential(required(fields, 'x-amz-credential'), (what) =>
    invalid('x-amz-credential', what),
  );
  const date = required(fields, 'x-amz-date');
  if (parseBasicDate(date) === undefined || date.slice(0, 8) !== credential.day)
    throw invalid('x-amz-date', 'it must be a time of the day that the credential names');
  return { kind: 'v4', ...credential, policy, signature };
}

/** Whether its signer has that secret. */
export function verifyPostCredentials(
  hashing: S3Hashing,
  credentials: PostCredentials,
  secretKey: SecretKey,
  { signingKeyOf }: Pick<VerifyOptions, 'signingKeyOf'> = {},
): void {
  const { accessKey, policy, signature } = credentials;
  const expected =
    credentials.kind === 'v2'
      ? encodePlainBase64(hashing.hmacSha1(secretKey, [policy]))
      : signatureOf(
          hashing,
          signingKeyOf?.(secretKey, credentials.day, credentials.region) ??
            deriveSigningKey(hashing, secretKey, credentials.day, credentials.region),
          policy,
        );
  if (equalTexts(expected, signature)) return;
  throw new S3Fault('SignatureDoesNotMatch', {
    details: {
      AWSAccessKeyId: accessKey,
      StringToSign: policy.slice(0, 4096),
      SignatureProvided: signature.slice(0, 128),
    },
  });
}

function required(fields: PostFields, name: string): string {
  const value = fields.get(name);
  if (value !== undefined && value !== '') return value;
  throw new S3Fault('InvalidArgument', {
    message: `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
    details: { ArgumentName: name, ArgumentValue: '' },
  });
}

function invalid(name: string, hint: string): S3Fault {
  return new S3Fault('InvalidArgument', { hint, details: { ArgumentName: name } });
}

function unsupported(): S3Fault {
  return new S3Fault('InvalidRequest', {
    message: `The authorization mechanism you have provided is not supported. Please use ${V4_ALGORITHM}.`,
  });
}
