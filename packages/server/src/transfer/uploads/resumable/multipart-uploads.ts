/**
 * Uploads in parts (v2): started, filled part by part in any order and in parallel, completed. A part is an engine object
 * as soon as its request is answered; completing writes only rows. Uploaded parts survive any crash for seven days.
 */
import { createHash } from 'node:crypto';
import { type BlobStore, newBlobId } from '@millpond/blobs';
import {
  type Dialect,
  decodeKey,
  etagOfParts,
  evaluateScope,
  Fault,
  jsonNumber,
  MAX_PART_BYTES,
  MAX_PARTS,
  MIN_PART_BYTES,
  parseUploadAuthorization,
  tierOfClass,
  type WireRecord,
} from '@millpond/protocol';
import { tenantOf } from '../../../identity/accounts/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import {
  emptyResponse,
  type HttpResponse,
  jsonResponse,
  queryFields,
  type RequestContext,
} from '../../../platform/web/index.ts';
import type { ObjectCreation } from '../object-creation.ts';
import type { UploadResponses } from '../upload-response.ts';
import {
  assertKeyAllowed,
  maxUploadBytes,
  type UploadTokenVerifier,
  type VerifiedUploadToken,
} from '../upload-token.ts';
import { type CompletionRequest, readCompletion } from './completion.ts';
import type { CompletionReplay, RecordCompletion } from './completion-replay.ts';
import { headOf } from './head.ts';
import type { LargeCompletions } from './large-completions.ts';
import { storeRawBody } from './raw-body.ts';
import { isUploadId, type PartRow, type UploadRow, type UploadStore } from './upload.store.ts';

export interface MultipartUploadDeps {
  readonly permits: UploadTokenVerifier;
  readonly creation: ObjectCreation;
  readonly answers: UploadResponses;
  readonly blobs: BlobStore;
  readonly store: UploadStore;
  readonly replay: CompletionReplay;
  readonly largeCompletions: LargeCompletions;
  readonly dialect: Dialect;
  readonly maxObjectSize: number;
  readonly commitWindowMs: number;
}

interface UploadTarget {
  readonly permit: VerifiedUploadToken;
  readonly key: string | undefined;
}

export class MultipartUploads {
  readonly #deps: MultipartUploadDeps;

  constructor(deps: MultipartUploadDeps) {
    this.#deps = deps;
  }

  async begin(context: RequestContext): Promise<HttpResponse> {
    const { permit, key } = await this.#place(context);
    this.#deps.answers.check(permit);
    const upload = await this.#deps.store.begin(permit.bucket.id, key, permit.policy.fileType);
    if (upload === undefined) throw new Fault('noSuchBucket');
    if (upload.is_full) throw new Fault('quotaExceeded');
    return jsonResponse<WireRecord<'NewUpload'>>({ uploadId: upload.upload_id, expireAt: upload.expire_at });
  }

  async putPart(context: RequestContext): Promise<HttpResponse> {
    const uploadTarget = await this.#place(context);
    const { permit } = uploadTarget;
    const uploadId = context.segment('upload');
    const partNumber = partNumberOf(context.segment('number'));
    const upload = await found(uploadTarget, uploadId, (bucketId, key) =>
      // The sizes of the other parts are added up only if the token limits their sum.
      this.#deps.store.findForPart(uploadId, bucketId, key, {
        number: partNumber,
        isSummed: permit.policy.fsizeLimit !== undefined,
      }),
    );
    if (upload.is_full) throw new Fault('quotaExceeded');
    const left = maxUploadBytes(permit, this.#deps.maxObjectSize) - Number(upload.otherPartsBytes);
    const md5 = createHash('md5');
    const asked = context.header('content-md5');
    let digest = '';
    const stored = await storeRawBody(context, this.#deps.blobs, {
      tier: tierOfClass(upload.class),
      maxBytes: Math.min(MAX_PART_BYTES, Math.max(0, left)),
      trafficLimit: permit.policy.trafficLimit,
      crc32: false,
      watch: (chunk) => md5.update(chunk),
      check: () => {
        digest = md5.digest('hex');
        if (asked !== undefined && asked.toLowerCase() !== digest) {
          throw new Fault('crc32Mismatch', { hint: 'Content-MD5 does not match the part' });
        }
      },
    });
    const part = { uploadId, number: partNumber, segmentId: stored.id, size: stored.size, etag: stored.hash };
    if (!(await this.#deps.store.putPart(part, this.#deps.commitWindowMs))) throw new Fault('noSuchUpload');
    return jsonResponse<WireRecord<'NewPart'>>({ etag: stored.hash, md5: digest });
  }

  async list(context: RequestContext): Promise<HttpResponse> {
    const uploadTarget = await this.#place(context);
    const uploadId = context.segment('upload');
    const upload = await this.#upload(uploadTarget, uploadId);
    const query = queryFields(context);
    const most = countOf(query.get('max-parts'), 1000, 1);
    const after = countOf(query.get('part-number_marker') ?? query.get('part-number-marker'), 0, 0);
    const rows = await this.#deps.store.parts(uploadId, after, most + 1);
    const shown = rows.slice(0, most);
    return jsonResponse<WireRecord<'Parts'>>({
      uploadId,
      expireAt: upload.expire_at,
      partNumberMarker: rows.length > most ? (shown.at(-1)?.part_number ?? 0) : 0,
      parts: shown.map((row) => ({
        size: Number(row.size),
        etag: row.etag,
        partNumber: row.part_number,
        putTime: jsonNumber(row.put_time),
      })),
    });
  }

  async abort(context: RequestContext): Promise<HttpResponse> {
    const uploadTarget = await this.#place(context);
    const uploadId = context.segment('upload');
    await this.#upload(uploadTarget, uploadId);
    if (!(await this.#deps.store.abort(uploadId))) throw new Fault('noSuchUpload');
    return emptyResponse();
  }

  async complete(context: RequestContext): Promise<HttpResponse> {
    const uploadTarget = await this.#place(context);
    this.#deps.answers.check(uploadTarget.permit);
    await context.readBody();
    context.chargeBody(tenantOf(uploadTarget.permit.key));
    return this.#deps.replay.run(context, uploadTarget.permit, 'noSuchUpload', (keep) =>
      this.#completeOnce(context, uploadTarget, keep),
    );
  }

  async #completeOnce(
    context: RequestContext,
    uploadTarget: UploadTarget,
    keep: RecordCompletion,
  ): Promise<HttpResponse> {
    const { permit, key } = uploadTarget;
    const uploadId = context.segment('upload');
    const upload = await this.#upload(uploadTarget, uploadId);
    const { request, chosen } = await this.#deps.largeCompletions.inTurn(
      { tenant: tenantOf(permit.key), bytes: context.body.length, cancel: context.cancel },
      async () => {
        const named = readCompletion(context.body, this.#deps.dialect.metaPrefix);
        return { request: named, chosen: await this.#chosen(uploadTarget, uploadId, named) };
      },
    );
    const size = chosen.reduce((sum, part) => sum + Number(part.size), 0);
    if (size > maxUploadBytes(permit, this.#deps.maxObjectSize)) throw new Fault('tooLarge');
    const segments = chosen.map((part) => ({ id: part.segment_id, size: Number(part.size) }));
    const [only] = segments;
    return this.#deps.creation.create({
      permit,
      context,
      store: async () => undefined,
      onCommit: async (transaction, createdObject) => {
        const locked = await this.#deps.store.lockedParts(uploadId, transaction);
        if (locked === undefined) throw new Fault('noSuchUpload');
        if (!isSame(choose(request, locked), chosen))
          throw new Fault('noSuchUpload', { hint: 'the parts were changed in the meantime' });
        // If the same content already existed, the object does not need these.
        const kept = createdObject.written ? segments.map((segment) => segment.id) : [];
        await this.#deps.store.complete(uploadId, kept, keep(createdObject), transaction);
      },
      finished: {
        way: 'parts',
        blobId: segments.length === 1 && only !== undefined ? only.id : newBlobId(),
        segments,
        tier: tierOfClass(upload.class),
        size,
        hash: etagOfParts(
          nodeHashing,
          chosen.map((part) => ({ size: Number(part.size), etag: part.etag })),
        ),
        head: await headOf(this.#deps.blobs, segments, context.cancel),
        key,
        fileName: request.fname,
        mimeType: request.mimeType,
        customVariables: request.customVars,
        metadata: request.metadata,
      },
    });
  }

  /** Discards the parts of uploads that were not completed in time. */
  async expire(signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const ids = await this.#deps.store.expired(100);
      if (ids.length === 0) break;
      for (const id of ids) await this.#deps.store.abort(id);
      count += ids.length;
    }
    return count;
  }

  /** Token, bucket and key of the path `/buckets/<bucket>/objects/<key>/uploads…`, which must match each other. */
  async #place(context: RequestContext): Promise<UploadTarget> {
    const token = parseUploadAuthorization(context.header('authorization'));
    const permit = await this.#deps.permits(token, context.peer.address);
    const encoded = context.segment('key');
    if (context.segment('bucket') !== permit.bucket.name)
      throw new Fault('scopeMismatch', { hint: 'the token is for another bucket' });
    const key = encoded === '~' ? undefined : decodeKey(encoded);
    // If the policy names the object, the client's name for it doesn't matter.
    const isFinal = key !== undefined && !permit.policy.forceSaveKey;
    if (isFinal && evaluateScope(permit.policy, key, 'multipart').allowed === false)
      throw new Fault('scopeMismatch');
    if (isFinal) assertKeyAllowed(permit, key);
    return { permit, key };
  }

  #upload(uploadTarget: UploadTarget, uploadId: string): Promise<UploadRow> {
    return found(uploadTarget, uploadId, (bucketId, key) => this.#deps.store.find(uploadId, bucketId, key));
  }

  async #chosen(
    uploadTarget: UploadTarget,
    uploadId: string,
    request: CompletionRequest,
  ): Promise<PartRow[]> {
    const rows = await this.#deps.store.parts(uploadId, 0, MAX_PARTS);
    try {
      return choose(request, rows);
    } catch (error) {
      // Another completion may have taken the parts in between: then it is the upload that is gone.
      await this.#upload(uploadTarget, uploadId);
      throw error;
    }
  }
}

/** An id is valid only for the object that it was started for. */
async function found<Row>(
  { permit, key }: UploadTarget,
  uploadId: string,
  find: (bucketId: bigint, key: string | undefined) => Promise<Row | undefined>,
): Promise<Row> {
  const upload = isUploadId(uploadId) ? await find(permit.bucket.id, key) : undefined;
  if (upload === undefined) throw new Fault('noSuchUpload');
  return upload;
}

/** The parts that a completion names, in its order, each matching the etag it was answered with. */
function choose(request: CompletionRequest, rows: readonly PartRow[]): PartRow[] {
  const byNumber = new Map(rows.map((row) => [row.part_number, row]));
  return request.parts.map(({ partNumber, etag }, index) => {
    const row = byNumber.get(partNumber);
    if (row === undefined || row.etag !== etag) {
      throw new Fault('invalidArgument', { hint: `there is no part ${partNumber} with this etag` });
    }
    if (index < request.parts.length - 1 && row.size < BigInt(MIN_PART_BYTES)) {
      throw new Fault('invalidArgument', {
        hint: `part ${partNumber} is smaller than 1 MiB and not the last`,
      });
    }
    return row;
  });
}

function isSame(one: readonly PartRow[], other: readonly PartRow[]): boolean {
  return (
    one.length === other.length && one.every((part, index) => part.segment_id === other[index]?.segment_id)
  );
}

function partNumberOf(text: string): number {
  const number = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_PARTS)
    throw new Fault('invalidArgument', { hint: `a part number must be from 1 to ${MAX_PARTS}` });
  return number;
}

function countOf(text: string | null, fallback: number, least: number): number {
  if (text === null || text === '') return fallback;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (count < least || (least === 1 && count > 1000))
    throw new Fault('invalidArgument', { hint: 'max-parts must be from 1 to 1000' });
  return count;
}
