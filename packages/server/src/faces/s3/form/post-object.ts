/**
 * PostObject: uploads by browsers, with a form whose policy somebody signed for them. Credentials are fields, so the
 * body is read before anybody is known: only as far as the file, and within narrow limits.
 */
import { tierOfClass } from '@millpond/protocol';
import {
  createSigningKeys,
  judgePostPolicy,
  judgePostSize,
  type PostFields,
  type PostPolicy,
  parsePostPolicy,
  postAnswer,
  postKey,
  postLocation,
  readPostCredentials,
  S3Fault,
  unknownAccessKey,
  verifyPostCredentials,
} from '@millpond/protocol/s3';
import type { Keyring } from '../../../identity/accounts/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import { type Answer, type Call, readBody } from '../../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import { boundaryOf, MultipartParser } from '../../../transfer/uploads/index.ts';
import { refuseElsewhere } from '../elsewhere.ts';
import { permitted } from '../limits.ts';
import { arrivalOf, commitPut, type DescribedPut, describePut, type PutDeps } from '../objects/put.ts';
import { brokenOff, openReceiver, type Receiver } from '../objects/receive.ts';
import { checkedKey, type Identity, type S3Place, type S3Request } from '../s3.request.ts';
import { FormReader, MAX_FIELD_BYTES } from './form-reader.ts';
import { formRequest, tagsOfForm } from './form-request.ts';

export interface PostDeps extends PutDeps {
  readonly keyring: Keyring;
  readonly buckets: Buckets;
  readonly allowsV2: boolean;
  readonly onRequest: (bucket: Bucket, kind: 'calls') => void;
}

/** What is known once the file begins. */
interface Begun {
  readonly fields: PostFields;
  readonly key: string;
  readonly policy: PostPolicy;
  readonly request: S3Request;
  readonly described: DescribedPut;
  readonly also: Awaited<ReturnType<PutDeps['arrivals']['prepare']>>['also'];
  readonly receiver: Receiver;
}

export type PostObject = (call: Call, place: S3Place) => Promise<Answer>;

/** A form for a bucket: whatever else the request has, its credentials are fields. */
export function isForm(call: Call, place: S3Place): boolean {
  return (
    call.request.method === 'POST' &&
    place.bucket !== undefined &&
    place.encodedKey === undefined &&
    /^multipart\/form-data\b/i.test(call.header('content-type') ?? '') &&
    !/(?:^|&)delete(?:=|&|$)/.test(call.target.query ?? '')
  );
}

export function postObject(deps: PostDeps): PostObject {
  const signingKeyOf = createSigningKeys(nodeHashing);

  async function signer(call: Call, fields: PostFields): Promise<Identity> {
    const credentials = readPostCredentials(fields, { allowsV2: deps.allowsV2 });
    if (credentials === undefined)
      throw new S3Fault('AccessDenied', { hint: 'the form needs a policy and its signature' });
    const key = await deps.keyring.find(credentials.accessKey);
    if (key === undefined) throw unknownAccessKey(credentials.accessKey);
    verifyPostCredentials(nodeHashing, credentials, key.secretKey, { signingKeyOf });
    deps.keyring.used(key, call.peer.address);
    return { key };
  }

  async function begin(
    call: Call,
    place: S3Place,
    bucket: Bucket,
    sent: PostFields,
    fileName: string,
  ): Promise<Begun> {
    const identity = await signer(call, sent);
    const key = checkedKey(postKey(required(sent, 'key'), fileName));
    const policy = parsePostPolicy(required(sent, 'policy'));
    const fields = new Map([...sent, ['bucket', bucket.name], ['key', key]]);
    judgePostPolicy(policy, fields, Date.now());
    const request = formRequest(call, place, fields, identity);
    if (identity.key.uid !== bucket.uid) throw new S3Fault('AccessDenied');
    deps.onRequest(bucket, 'calls');
    permitted(request, { action: 'write', bucket: bucket.name, key });
    const described = { ...describePut(request), tags: tagsOfForm(fields) };
    const { also } = await deps.arrivals.prepare(arrivalOf(request, bucket, key));
    const options = { tier: tierOfClass(described.storageClass), maxBytes: deps.maxObjectSize };
    const receiver = openReceiver(request, deps.blobs.openBody, options, { isPlain: false });
    call.acceptBody();
    return { fields, key, policy, request, described, also, receiver };
  }

  return async (call, place) => {
    const name = place.bucket ?? '';
    const bucket = await deps.buckets.byName(name);
    if (bucket === undefined) throw new S3Fault('NoSuchBucket', { details: { BucketName: name } });
    await refuseElsewhere(deps.buckets, bucket);
    const parser = new MultipartParser(boundaryOf(call.header('content-type') ?? ''), MAX_FIELD_BYTES);
    let begun: Begun | undefined;
    call.wantBody();
    const reader = new FormReader(async (fields, fileName) => {
      begun = await begin(call, place, bucket, fields, fileName);
      return sizedTaker(begun);
    });
    try {
      await readBody(call.request, (chunk) => reader.takeAll(parser.push(chunk)), call.tooSlow);
      parser.finish();
      reader.finish();
      if (begun === undefined) throw new Error('a file without its beginning');
      return await commit(deps, begun, bucket);
    } catch (error) {
      await (begun as Begun | undefined)?.receiver.abort();
      throw brokenOff(call, error);
    }
  };
}

/** A file that grows beyond its policy ends at once. */
function sizedTaker({ policy, receiver }: Begun) {
  let size = 0;
  return {
    take(data: Buffer) {
      size += data.length;
      judgePostSize(policy, size, false);
      return receiver.take(data);
    },
  };
}

async function commit(deps: PostDeps, begun: Begun, bucket: Bucket): Promise<Answer> {
  const { fields, key, policy, request, described, also, receiver } = begun;
  const received = await receiver.finish();
  judgePostSize(policy, received.size, true);
  const arrived = { ...described, received, also, way: 's3-post' as const };
  const ofObject = await commitPut(deps, request, bucket, key, arrived);
  const { peer, host } = request.call;
  const { status, headers, body } = postAnswer(fields, {
    bucket: bucket.name,
    key,
    etag: Buffer.from(received.md5).toString('hex'),
    location: postLocation(`${peer.secure ? 'https' : 'http'}://${host}`, bucket.name, key),
  });
  return { status, headers: { ...ofObject, ...headers }, body: body ?? '' };
}

function required(fields: PostFields, name: string): string {
  const value = fields.get(name);
  if (value !== undefined && value !== '') return value;
  throw new S3Fault('InvalidArgument', {
    message: `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
    details: { ArgumentName: name, ArgumentValue: '' },
  });
}
