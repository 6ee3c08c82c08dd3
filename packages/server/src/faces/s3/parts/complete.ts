/** CompleteMultipartUpload: writes rows only, so its status is known in time. Sent again, it is answered as it was. */
import { Fault, MAX_PARTS } from '@millpond/protocol';
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumElement,
  checksumHeader,
  checksumOfParts,
  childNumber,
  childrenOf,
  childText,
  isChecksumOfObject,
  malformed,
  multipartEtagMd5,
  parseEtagList,
  parseXml,
  requiredText,
  S3Fault,
  wrongChecksum,
  type XmlChildren,
  type XmlElement,
} from '@millpond/protocol/s3';
import { tenantOf } from '../../../identity/accounts/index.ts';
import type { UploadTriggers } from '../../../media/processing/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { PartEntry, S3Objects, StoredChecksum } from '../../../storage/objects/index.ts';
import type { S3PartRow, S3UploadRow, S3Uploads } from '../../../transfer/uploads/index.ts';
import { MIN_S3_PART_BYTES } from '../../limits.ts';
import { expirationHeader } from '../buckets/expiration.ts';
import { checksumElements } from '../objects/body-digests.ts';
import { quoted } from '../objects/etag.ts';
import { modeOf, triggerInput } from '../objects/put.ts';
import { precheckConditions, writeConditionsIn } from '../objects/write-conditions.ts';
import { xmlResponse } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';

export interface CompleteDeps {
  readonly uploads: S3Uploads;
  readonly s3Objects: S3Objects;
  readonly uploadTriggers: UploadTriggers;
  readonly maxObjectSize: number;
}

interface NamedPart {
  readonly number: number;
  readonly etag: string;
  readonly entry: XmlElement;
}

export function completeOperation(deps: CompleteDeps): S3Operation {
  return {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    on: 'object',
    parameters: ['uploadId'],
    action: 'write',
    handle: (request, bucket, key) => complete(deps, request, bucket, key),
  };
}

async function complete(
  deps: CompleteDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  const { uploads } = deps;
  const conditions = writeConditionsIn(request);
  const body = await bodyOf(request, { isOfObject: true });
  const tenant = request.identity === undefined ? 0n : tenantOf(request.identity.key);
  let digest: Buffer | undefined;
  try {
    const taken = await uploads.inTurn(
      { tenant, bytes: body.length, cancel: request.context.cancel },
      async () => {
        const named = namedParts(parseXml(body, 'CompleteMultipartUpload'));
        digest = uploads.digestOf(uploadIdOf(request), named);
        return { digest, ...(await partsOf(deps, request, bucket, key, named)) };
      },
    );
    return await completeOnce(deps, request, bucket, key, taken);
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'noSuchUpload' || digest === undefined) throw error;
    const answered = await uploads.answered(digest);
    if (answered === undefined || conditions.isNew) throw error;
    return xmlResponse('CompleteMultipartUploadResult', JSON.parse(answered) as XmlChildren);
  }
}

const uploadIdOf = ({ query }: S3Request) => query.get('uploadId') ?? '';

async function partsOf(
  { uploads }: CompleteDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
  named: readonly NamedPart[],
): Promise<{ upload: S3UploadRow; parts: S3PartRow[] }> {
  const find = () => uploads.find(bucket, key, uploadIdOf(request));
  const upload = await find();
  const rows = await uploads.parts(upload.upload_id, 0, MAX_PARTS);
  try {
    return { upload, parts: chosen(named, rows, upload) };
  } catch (error) {
    // Another completion may have taken the parts in between: then it is the upload that is gone.
    await find();
    throw error;
  }
}

async function completeOnce(
  deps: CompleteDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
  { upload, parts, digest }: { upload: S3UploadRow; parts: readonly S3PartRow[]; digest: Buffer },
): Promise<HttpResponse> {
  const { uploads, uploadTriggers, s3Objects } = deps;
  const conditions = writeConditionsIn(request);
  checkSizes(parts, request, deps.maxObjectSize);
  await precheckConditions(s3Objects, request, bucket, key, conditions);
  const checksum = wholeChecksum(request, upload, parts);
  const md5 = multipartEtagMd5(
    nodeHashing,
    parts.map((part) => part.md5),
  );
  const etag = `${Buffer.from(md5).toString('hex')}-${parts.length}`;
  const answer: XmlChildren = {
    Location: `${request.context.peer.secure ? 'https' : 'http'}://${request.context.host}${request.context.target.path}`,
    Bucket: bucket.name,
    Key: key,
    ETag: quoted(etag),
    ...checksumElements(checksum),
  };
  const { onCommit } = await uploadTriggers.prepare(triggerInput(request, bucket, key));
  const { mode, explain } = modeOf(request, bucket, key, conditions);
  const { fsize, putTime } = await explain(
    uploads.complete({
      bucket,
      upload,
      parts,
      onCommit,
      request: digest,
      s3: {
        md5,
        md5Parts: parts.length,
        checksum,
        tags: upload.s3.tags,
        partList: parts.map(({ size, checksum: sum }): PartEntry => [Number(size), sum]),
      },
      isNew: mode === 'insert',
      condition: mode === 'insert' ? undefined : conditions.condition,
      detectedType: upload.s3.mimeType,
      answer: () => JSON.stringify(answer),
    }),
  );
  const { tags } = upload.s3;
  return xmlResponse(
    'CompleteMultipartUploadResult',
    answer,
    expirationHeader(bucket, { key, fsize, tags, put_time: putTime }),
  );
}

/** Ascending; of a number that comes twice in a row the later counts. */
function namedParts(body: XmlElement): NamedPart[] {
  const named: NamedPart[] = [];
  for (const entry of childrenOf(body, 'Part')) {
    const number = childNumber(entry, 'PartNumber') ?? 0;
    if (number < 1 || number > MAX_PARTS) throw malformed(`a PartNumber must be from 1 to ${MAX_PARTS}`);
    const etags = parseEtagList(requiredText(entry, 'ETag'));
    const part = { number, etag: (etags === '*' ? undefined : etags[0]) ?? '', entry };
    const last = named.at(-1);
    if (last !== undefined && number < last.number) throw new S3Fault('InvalidPartOrder');
    if (last?.number === number) named.pop();
    named.push(part);
  }
  if (named.length === 0) throw malformed('name at least one Part');
  return named;
}

/** The parts that were named, each with the ETag and the checksum that it was answered with. */
function chosen(named: readonly NamedPart[], rows: readonly S3PartRow[], upload: S3UploadRow): S3PartRow[] {
  const byNumber = new Map(rows.map((row) => [row.part_number, row]));
  return named.map(({ number, etag, entry }) => {
    const row = byNumber.get(number);
    const { checksum } = upload.s3;
    const given = checksum && childText(entry, checksumElement(checksum.algorithm));
    if (row === undefined || row.md5.toString('hex') !== etag || (given && given !== row.checksum))
      throw new S3Fault('InvalidPart', {
        details: { UploadId: upload.upload_id, PartNumber: String(number), ETag: etag },
      });
    return row;
  });
}

function checkSizes(parts: readonly S3PartRow[], { header }: S3Request, maxObjectSize: number): void {
  const small = parts.slice(0, -1).find(({ size }) => size < BigInt(MIN_S3_PART_BYTES));
  if (small !== undefined)
    throw new S3Fault('EntityTooSmall', {
      details: {
        ProposedSize: String(small.size),
        MinSizeAllowed: String(MIN_S3_PART_BYTES),
        PartNumber: String(small.part_number),
        ETag: small.md5.toString('hex'),
      },
    });
  const size = parts.reduce((sum, part) => sum + Number(part.size), 0);
  if (size > maxObjectSize)
    throw new S3Fault('EntityTooLarge', {
      details: { ProposedSize: String(size), MaxSizeAllowed: String(maxObjectSize) },
    });
  const announced = header('x-amz-mp-object-size');
  if (announced !== undefined && announced !== String(size))
    throw new S3Fault('InvalidRequest', {
      message: `The provided 'x-amz-mp-object-size' header value ${announced.slice(0, 20)} does not match what was computed: ${size}`,
    });
}

/** Combines part checksums; compares with the client's object checksum. */
function wholeChecksum(
  request: S3Request,
  { s3 }: S3UploadRow,
  parts: readonly S3PartRow[],
): StoredChecksum | undefined {
  if (s3.checksum === undefined) return undefined;
  const { algorithm, type } = s3.checksum;
  const asked = request.header('x-amz-checksum-type');
  if (asked !== undefined && asked !== type)
    throw new S3Fault('InvalidRequest', { hint: `the upload was begun with the checksum type ${type}` });
  const sums = parts.map(({ size, checksum }) => ({ size: Number(size), value: checksum ?? '' }));
  const value = checksumOfParts(nodeHashing, algorithm, type, sums);
  if (value === undefined) throw new Error('a part has no checksum of its upload');
  const given = givenFor(request);
  if (given !== undefined && (given.algorithm !== algorithm || !isChecksumOfObject(value, given.value)))
    throw wrongChecksum(algorithm);
  return { algorithm, value, type };
}

/** The checksum of the object, not of this body. */
function givenFor({ header }: S3Request): { algorithm: ChecksumAlgorithm; value: string } | undefined {
  for (const algorithm of checksumAlgorithms) {
    const value = header(checksumHeader(algorithm));
    if (value !== undefined) return { algorithm, value };
  }
  return undefined;
}
