/**
 * PostObject: uploads by browsers, with a form whose policy somebody signed for them. Credentials are fields, so the
 * body is read before anybody is known: only as far as the file, and within narrow limits.
 */

import { tierOfClass } from '@millpond/protocol';
import {
  checkPostPolicy,
  checkPostSize,
  createSigningKeys,
  type PostFields,
  type PostPolicy,
  parsePostPolicy,
  postKey,
  postLocation,
  postResponse,
  readPostCredentials,
  S3Fault,
  unknownAccessKey,
  verifyPostCredentials,
} from '@millpond/protocol/s3';
import type { Keyring } from '../../../identity/accounts/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import { type HttpResponse, type RequestContext, readBody } from '../../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import { boundaryOf, MultipartParser } from '../../../transfer/uploads/index.ts';
import { MAX_S3_FORM_FIELDS_BYTES } from '../../limits.ts';
import { type BodySink, openBodySink, toIncompleteBody } from '../objects/body-sink.ts';
import { commitPut, type DescribedPut, describePut, type PutDeps, triggerInput } from '../objects/put.ts';
import { assertRequestWithinLimits } from '../request-limits.ts';
import { checkedKey, type RequestSigner, type S3Address, type S3Request } from '../s3.request.ts';
import { redirectToRegion } from '../wrong-region.ts';
import { FormReader } from './form-reader.ts';
import { formRequest, tagsOfForm } from './form-request.ts';

export interface PostDeps extends PutDeps {
  readonly keyring: Keyring;
  readonly buckets: Buckets;
  readonly allowsV2: boolean;
  readonly onRequest: (bucket: Bucket, kind: 'calls') => void;
}

/** What is known once the file begins. */
interface StartedPost {
  readonly fields: PostFields;
  readonly key: string;
  readonly policy: PostPolicy;
  readonly request: S3Request;
  readonly described: DescribedPut;
  readonly onCommit: Awaited<ReturnType<PutDeps['uploadTriggers']['prepare']>>['onCommit'];
  readonly sink: BodySink;
}

export type PostObject = (context: RequestContext, place: S3Address) => Promise<HttpResponse>;

/** A form for a bucket: whatever else the request has, its credentials are fields. */
export function isForm(context: RequestContext, place: S3Address): boolean {
  return (
    context.request.method === 'POST' &&
    place.bucket !== undefined &&
    place.encodedKey === undefined &&
    /^multipart\/form-data\b/i.test(context.header('content-type') ?? '') &&
    !/(?:^|&)delete(?:=|&|$)/.test(context.target.query ?? '')
  );
}

export function postObject(deps: PostDeps): PostObject {
  const signingKeyOf = createSigningKeys(nodeHashing);

  async function signer(context: RequestContext, fields: PostFields): Promise<RequestSigner> {
    const credentials = readPostCredentials(fields, { allowsV2: deps.allowsV2 });
    if (credentials === undefined)
      throw new S3Fault('AccessDenied', { hint: 'the form needs a policy and its signature' });
    const key = await deps.keyring.find(credentials.accessKey);
    if (key === undefined) throw unknownAccessKey(credentials.accessKey);
    verifyPostCredentials(nodeHashing, credentials, key.secretKey, { signingKeyOf });
    deps.keyring.used(key, context.peer.address);
    return { key };
  }

  async function begin(
    context: RequestContext,
    place: S3Address,
    bucket: Bucket,
    sent: PostFields,
    fileName: string,
  ): Promise<StartedPost> {
    const identity = await signer(context, sent);
    const key = checkedKey(postKey(required(sent, 'key'), fileName));
    const policy = parsePostPolicy(required(sent, 'policy'));
    const fields = new Map([...sent, ['bucket', bucket.name], ['key', key]]);
    checkPostPolicy(policy, fields, Date.now());
    const request = formRequest(context, place, fields, identity);
    if (identity.key.uid !== bucket.uid) throw new S3Fault('AccessDenied');
    deps.onRequest(bucket, 'calls');
    assertRequestWithinLimits(request, { action: 'write', bucket: bucket.name, key });
    const described = { ...describePut(request), tags: tagsOfForm(fields) };
    const { onCommit } = await deps.uploadTriggers.prepare(triggerInput(request, bucket, key));
    const options = { tier: tierOfClass(described.storageClass), maxBytes: deps.maxObjectSize };
    const sink = openBodySink(request, deps.blobs.openBody, options, { isPlain: false });
    context.acceptBody();
    return { fields, key, policy, request, described, onCommit, sink };
  }

  return async (context, place) => {
    const name = place.bucket ?? '';
    const bucket = await deps.buckets.byName(name);
    if (bucket === undefined) throw new S3Fault('NoSuchBucket', { details: { BucketName: name } });
    await redirectToRegion(deps.buckets, bucket);
    const parser = new MultipartParser(
      boundaryOf(context.header('content-type') ?? ''),
      MAX_S3_FORM_FIELDS_BYTES,
    );
    let startedPost: StartedPost | undefined;
    context.wantBody();
    const reader = new FormReader(async (fields, fileName) => {
      startedPost = await begin(context, place, bucket, fields, fileName);
      return sizedTaker(startedPost);
    });
    try {
      await readBody(context.request, (chunk) => reader.takeAll(parser.push(chunk)), context.tooSlow);
      parser.finish();
      reader.finish();
      if (startedPost === undefined) throw new Error('a file without its beginning');
      return await commit(deps, startedPost, bucket);
    } catch (error) {
      await (startedPost as StartedPost | undefined)?.sink.abort();
      throw toIncompleteBody(context, error);
    }
  };
}

/** A file that grows beyond its policy ends at once. */
function sizedTaker({ policy, sink }: StartedPost) {
  let size = 0;
  return {
    take(data: Buffer) {
      size += data.length;
      checkPostSize(policy, size, false);
      return sink.write(data);
    },
  };
}

async function commit(deps: PostDeps, startedPost: StartedPost, bucket: Bucket): Promise<HttpResponse> {
  const { fields, key, policy, request, described, onCommit, sink } = startedPost;
  const received = await sink.finish();
  checkPostSize(policy, received.size, true);
  const arrived = { ...described, received, onCommit, way: 's3-post' as const };
  const ofObject = await commitPut(deps, request, bucket, key, arrived);
  const { peer, host } = request.context;
  const { status, headers, body } = postResponse(fields, {
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
