/**
 * Uploads in blocks of 4 MiB (v1): mkblk starts a block with its first chunk, bput continues it, mkfile makes the object
 * from blocks. A context names a block and how far it is filled.
 */
import { createHash, type Hash } from 'node:crypto';
import { type BlobStore, newBlobId } from '@millpond/blobs';
import {
  BLOCK_SIZE,
  type Dialect,
  encodeBase64,
  etagOfBlocks,
  Fault,
  MAX_PARTS,
  parseUploadAuthorization,
  tierOfClass,
  tryDecodeBase64,
  type WireRecord,
} from '@millpond/protocol';
import { tenantOf } from '../../../identity/accounts/index.ts';
import { DAY_SECONDS } from '../../../platform/feature.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import {
  type HttpResponse,
  jsonResponse,
  type RequestContext,
  segmentsOf,
  unixSeconds,
} from '../../../platform/web/index.ts';
import type { ObjectCreation } from '../object-creation.ts';
import type { UploadResponses } from '../upload-response.ts';
import { maxUploadBytes, type UploadTokenVerifier, type VerifiedUploadToken } from '../upload-token.ts';
import type { BlockRow, BlockStore, ChunkRow } from './block.store.ts';
import type { CompletionReplay, RecordCompletion } from './completion-replay.ts';
import { headOf } from './head.ts';
import { type MkfileRequest, mkfileSegments, readMkfile } from './mkfile.ts';
import { type StoredBytes, storeRawBody } from './raw-body.ts';

export interface BlockUploadDeps {
  readonly permits: UploadTokenVerifier;
  readonly creation: ObjectCreation;
  readonly answers: UploadResponses;
  readonly blobs: BlobStore;
  readonly store: BlockStore;
  readonly replay: CompletionReplay;
  readonly dialect: Dialect;
  readonly maxObjectSize: number;
  readonly commitWindowMs: number;
}

interface Context {
  readonly blockId: string;
  readonly filled: number;
}

/** Each chunk means reading the previous ones again. */
const MAX_CHUNKS = 64;

export class BlockUploads {
  readonly #deps: BlockUploadDeps;

  constructor(deps: BlockUploadDeps) {
    this.#deps = deps;
  }

  async mkblk(context: RequestContext): Promise<HttpResponse> {
    const permit = await this.#permit(context);
    const [text = '', ...rest] = segmentsOf(context.target);
    if (text === '0' && rest.length === 0 && this.#deps.dialect.callsOfSdks) return emptyBlock(context);
    const blockSize = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0;
    if (blockSize < 1 || blockSize > BLOCK_SIZE || rest.length > 0) {
      throw new Fault('invalidArgument', { hint: `a block must have 1 to ${BLOCK_SIZE} bytes` });
    }
    if (blockSize > maxUploadBytes(permit, this.#deps.maxObjectSize)) throw new Fault('tooLarge');
    const chunk = await this.#store(context, permit, blockSize, []);
    const { store, commitWindowMs } = this.#deps;
    const asked = { bucketId: permit.bucket.id, blockSize, storageClass: permit.policy.fileType };
    const block = await store.begin(permit.key.uid, asked, chunk, commitWindowMs);
    if (block === undefined) throw new Fault('quotaExceeded');
    return this.#blockAnswer(block, chunk, context);
  }

  async bput(call: RequestContext): Promise<HttpResponse> {
    const permit = await this.#permit(call);
    const [encoded = '', at = '', ...rest] = segmentsOf(call.target);
    const context = parseContext(encoded);
    if (rest.length > 0 || at !== String(context.filled))
      throw new Fault('invalidUploadContext', { hint: 'the offset does not match the context' });
    const [block] = await this.#deps.store.find([context.blockId], permit.key.uid);
    if (block === undefined || block.filled < context.filled) throw new Fault('invalidUploadContext');
    if (block.is_full) throw new Fault('quotaExceeded');
    const chunks = await this.#deps.store.chunks([context.blockId]);
    const before = chunks.filter((chunk) => chunk.at < context.filled);
    if (before.length >= MAX_CHUNKS)
      throw new Fault('invalidArgument', { hint: `a block may have at most ${MAX_CHUNKS} chunks` });
    const { store, commitWindowMs, maxObjectSize } = this.#deps;
    const most = Math.min(block.block_size, maxUploadBytes(permit, maxObjectSize));
    const chunk = await this.#store(call, permit, Math.max(0, most - context.filled), before);
    const appended =
      (await store.append(context.blockId, context.filled, chunk, commitWindowMs)) ??
      (await this.#appendedBefore(context, permit, chunk, call));
    if (appended === undefined) throw new Fault('invalidUploadContext');
    return this.#blockAnswer(appended, chunk, call);
  }

  /** The block as it was after this chunk, if the same chunk is already there because its answer was lost. */
  async #appendedBefore(
    { blockId, filled }: Context,
    permit: VerifiedUploadToken,
    { size, sha1 }: Pick<StoredBytes, 'size'> & { readonly sha1: Buffer },
    context: RequestContext,
  ): Promise<BlockRow | undefined> {
    const [block] = await this.#deps.store.find([blockId], permit.key.uid);
    const chunks = (await this.#deps.store.chunks([blockId])).filter((chunk) => chunk.at <= filled);
    const last = chunks.at(-1);
    if (block === undefined || last?.at !== filled || last.size !== size) return undefined;
    const there = await this.#sha1Of(chunks, context);
    return there.digest().equals(sha1) ? { ...block, filled: filled + size, sha1 } : undefined;
  }

  mkfile(context: RequestContext): Promise<HttpResponse> {
    return this.#mkfile(context, () => segmentsOf(context.target));
  }

  /** As the SDK for Ruby asks it. */
  rsMkfile(context: RequestContext): Promise<HttpResponse> {
    return this.#mkfile(context, (permit) => {
      const { bucket, segments } = mkfileSegments(segmentsOf(context.target));
      if (bucket !== permit.bucket.name) throw new Fault('scopeMismatch');
      return segments;
    });
  }

  async #mkfile(
    context: RequestContext,
    segments: (permit: VerifiedUploadToken) => readonly string[],
  ): Promise<HttpResponse> {
    const permit = await this.#permit(context);
    this.#deps.answers.check(permit);
    await context.readBody();
    context.chargeBody(tenantOf(permit.key));
    return this.#deps.replay.run(context, permit, 'invalidUploadContext', (keep) =>
      this.#mkfileOnce(context, permit, readMkfile(segments(permit), this.#deps.dialect.metaPrefix), keep),
    );
  }

  async #mkfileOnce(
    context: RequestContext,
    permit: VerifiedUploadToken,
    request: MkfileRequest,
    keep: RecordCompletion,
  ): Promise<HttpResponse> {
    const contexts = contextsOf(context.body.toString('latin1')).filter(
      (context) => !(this.#deps.dialect.callsOfSdks && isEmptyBlock(context)),
    );
    const blocks = await this.#blocks(contexts, permit, request.fsize);
    const ids = blocks.map((block) => block.block_id);
    const chunks = Map.groupBy(await this.#deps.store.chunks(ids), (chunk) => chunk.block_id);
    const segments = blocks.flatMap((block) => (chunks.get(block.block_id) ?? []).map(segmentOf));
    if (request.fsize > maxUploadBytes(permit, this.#deps.maxObjectSize)) throw new Fault('tooLarge');
    const [first] = segments;
    return this.#deps.creation.create({
      permit,
      context,
      store: async () => undefined,
      onCommit: async (transaction, createdObject) => {
        if (!(await this.#deps.store.lock(ids, transaction))) throw new Fault('invalidUploadContext');
        await this.#deps.store.complete(ids, createdObject.written, keep(createdObject), transaction);
      },
      finished: {
        way: 'blocks',
        blobId: segments.length === 1 && first !== undefined ? first.id : newBlobId(),
        segments,
        // Matters only if one chunk is the whole file: several are joined in the right tier.
        tier: tierOfClass(blocks[0]?.class ?? permit.policy.fileType),
        size: request.fsize,
        hash: etagOfBlocks(nodeHashing, Buffer.concat(blocks.map((block) => block.sha1))),
        head: await headOf(this.#deps.blobs, segments, context.cancel),
        key: request.key,
        fileName: request.fname,
        mimeType: request.mimeType,
        customVariables: request.customVars,
        metadata: request.metadata,
      },
    });
  }

  async expire(signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const gone = await this.#deps.store.expire(100);
      if (gone === 0) break;
      count += gone;
    }
    return count;
  }

  #permit(context: RequestContext): Promise<VerifiedUploadToken> {
    const token = parseUploadAuthorization(context.header('authorization'));
    return this.#deps.permits(token, context.peer.address);
  }

  /** The hash of a block covers all its chunks: the previous ones, at most 4 MiB, are read again. */
  async #store(
    context: RequestContext,
    permit: VerifiedUploadToken,
    room: number,
    before: readonly ChunkRow[],
  ): Promise<StoredBytes & { segmentId: StoredBytes['id']; sha1: Buffer }> {
    const sha1 = await this.#sha1Of(before, context);
    const stored = await storeRawBody(context, this.#deps.blobs, {
      tier: tierOfClass(permit.policy.fileType),
      maxBytes: room,
      trafficLimit: permit.policy.trafficLimit,
      watch: (chunk) => sha1.update(chunk),
      check: ({ size }) => {
        if (size === 0) throw new Fault('invalidArgument', { hint: 'a chunk must have at least one byte' });
      },
    });
    return { ...stored, segmentId: stored.id, sha1: sha1.digest() };
  }

  async #sha1Of(chunks: readonly ChunkRow[], context: RequestContext): Promise<Hash> {
    const sha1 = createHash('sha1');
    for (const chunk of chunks)
      sha1.update(await this.#deps.blobs.readAll(chunk.segment_id, BLOCK_SIZE, context.cancel));
    return sha1;
  }

  #blockAnswer(block: BlockRow, chunk: StoredBytes, context: RequestContext): HttpResponse {
    return jsonResponse<WireRecord<'Block'>>({
      ctx: formatContext({ blockId: block.block_id, filled: block.filled }),
      checksum: encodeBase64(block.sha1),
      crc32: chunk.crc32,
      offset: block.filled,
      host: hostOf(context),
      expired_at: block.expire_at,
    });
  }

  /** The blocks of a file, in the given order: all but the last are full, and together they are as long as the file. */
  async #blocks(
    contexts: readonly Context[],
    permit: VerifiedUploadToken,
    fsize: number,
  ): Promise<BlockRow[]> {
    const ids = new Set(contexts.map((context) => context.blockId));
    // Each block's bytes exist once: a file that repeats one block would be stored without ever having been sent.
    if (ids.size < contexts.length)
      throw new Fault('invalidUploadContext', { hint: 'a context is named twice' });
    const rows = await this.#deps.store.find([...ids], permit.key.uid);
    const byId = new Map(rows.map((row) => [row.block_id, row]));
    const blocks = contexts.map((context) => {
      const block = byId.get(context.blockId);
      if (block?.filled !== context.filled || block.filled !== block.block_size)
        throw new Fault('invalidUploadContext');
      return block;
    });
    if (blocks.slice(0, -1).some((block) => block.block_size !== BLOCK_SIZE)) {
      throw new Fault('invalidArgument', { hint: 'every block but the last must have 4 MiB' });
    }
    const sum = blocks.reduce((total, block) => total + block.filled, 0);
    if (sum !== fsize)
      throw new Fault('invalidArgument', { hint: `the blocks have ${sum} bytes, not ${fsize}` });
    return blocks;
  }
}

function segmentOf(chunk: ChunkRow) {
  return { id: chunk.segment_id, size: chunk.size };
}

function contextsOf(body: string): Context[] {
  if (body === '') return [];
  const texts = body.split(',');
  if (texts.length > MAX_PARTS)
    throw new Fault('invalidArgument', { hint: `a file may have at most ${MAX_PARTS} blocks` });
  return texts.map((text) => parseContext(text.trim()));
}

/** Id of a block without bytes, which is not stored: some SDKs end a file of full blocks with one. */
const NO_BLOCK = '00000000-0000-0000-0000-000000000000';

function isEmptyBlock({ blockId, filled }: Context): boolean {
  return blockId === NO_BLOCK && filled === 0;
}

function emptyBlock(context: RequestContext): HttpResponse {
  if ((context.header('content-length') ?? '0') !== '0' || context.header('transfer-encoding') !== undefined)
    throw new Fault('invalidArgument', { hint: 'a block of 0 bytes has no body' });
  return jsonResponse<WireRecord<'Block'>>({
    ctx: formatContext({ blockId: NO_BLOCK, filled: 0 }),
    checksum: encodeBase64(createHash('sha1').digest()),
    crc32: 0,
    offset: 0,
    host: hostOf(context),
    expired_at: unixSeconds(new Date()) + DAY_SECONDS,
  });
}

function hostOf(context: RequestContext): string {
  return `${context.peer.secure ? 'https' : 'http'}://${context.host}`;
}

/** 16 bytes for the block's id and 4 for how far it is filled. */
function formatContext({ blockId, filled }: Context): string {
  const bytes = Buffer.alloc(20);
  bytes.write(blockId.replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(filled, 16);
  return encodeBase64(bytes);
}

function parseContext(text: string): Context {
  const bytes = text.length <= 28 ? tryDecodeBase64(text) : undefined;
  if (bytes?.length !== 20) throw new Fault('invalidUploadContext');
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const blockId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { blockId, filled: Buffer.from(bytes).readUInt32BE(16) };
}
