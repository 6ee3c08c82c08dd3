/**
 * Blobs in one bucket of an S3 engine (Ceph's gateway is the reference). Nothing relies on conditions, versions or checksum
 * headers that engines treat differently: ids are new, blobs are written once, the database decides.
 */
import { MIB } from '@millpond/protocol';
import { type BlobId, engineKey } from '../blob-id.ts';
import { copyByStream } from '../copy.ts';
import { BlobNotFoundError, BlobStoreUnavailableError, BlobTooLargeError } from '../errors.ts';
import type { BlobStore, WriteOptions } from '../store.ts';
import { createS3Client } from './client.ts';
import { probeColdClass } from './cold-class.ts';
import { contentFault, errorCode, responseError } from './faults.ts';
import { abortStale, listHour, listHours } from './list.ts';
import { textIn } from './list-responses.ts';
import { tierHeaders } from './multipart.ts';
import type { S3BlobOptions } from './options.ts';
import { readBlob } from './read.ts';
import { statBlob } from './stat.ts';
import { openS3Writer, type PutOptions } from './writer.ts';

/** Up to here the engine copies in one call, well within our time-outs; larger blobs pass through us. */
const ENGINE_COPY_LIMIT = 256 * MIB;
/** The engine reports progress inside its answer to a copy. */
const COPY_ANSWER = 256 * 1024;
/** Concurrent single deletes are as fast as Ceph's multi-object delete, and each is retried by itself. */
const MAX_CONCURRENT_DELETES = 16;

export function createS3BlobStore(options: S3BlobOptions): BlobStore {
  const client = createS3Client(options);

  async function put(
    id: BlobId,
    chunks: readonly Uint8Array[],
    { tier, signal, md5 }: PutOptions,
  ): Promise<void> {
    const doing = 'writing a blob';
    const headers = tierHeaders(client, tier);
    await client.call({
      method: 'PUT',
      key: engineKey(id),
      headers,
      body: chunks,
      md5,
      expect: [200],
      doing,
      signal,
    });
  }

  async function removeOne(id: BlobId, signal: AbortSignal | undefined): Promise<void> {
    const doing = 'removing a blob';
    const key = engineKey(id);
    const { status, body } = await client.call({
      method: 'DELETE',
      key,
      expect: [204, 200, 404],
      doing,
      signal,
    });
    if (status === 404 && errorCode(body) !== 'NoSuchKey') throw responseError(status, body, doing);
  }

  async function copyInEngine(
    from: BlobId,
    to: BlobId,
    { tier, signal }: WriteOptions,
    size: number,
  ): Promise<void> {
    const doing = 'copying a blob';
    const response = await client.call({
      method: 'PUT',
      key: engineKey(to),
      headers: [
        'x-amz-copy-source',
        client.pathOf(engineKey(from)),
        'x-amz-metadata-directive',
        'COPY',
        'x-amz-storage-class',
        client.classes[tier],
      ],
      expect: [200],
      doing,
      signal,
      maxAnswerBytes: COPY_ANSWER,
    });
    if (textIn(response.body, 'CopyObjectResult', 'ETag') === undefined)
      throw contentFault(response.status, response.body, doing);
    const copied = await statBlob(client, engineKey(to), signal);
    if (copied?.size !== size || copied.storageClass !== client.classes[tier])
      throw new BlobStoreUnavailableError('the engine copied something other than what was requested', {
        retryable: false,
      });
  }

  const self: BlobStore = {
    put,
    openWriter: (id, write) => openS3Writer(client, options.budget, put, id, write),

    async read(id, range, sink, signal) {
      if (range.length > 0) return readBlob(client, id, range, sink, signal);
      if (!(await statBlob(client, engineKey(id), signal))) throw new BlobNotFoundError(id);
    },

    async readAll(id, maxBytes, signal) {
      const found = await statBlob(client, engineKey(id), signal);
      if (!found) throw new BlobNotFoundError(id);
      if (found.size > maxBytes) throw new BlobTooLargeError(id, maxBytes);
      const whole = Buffer.allocUnsafeSlow(found.size);
      let at = 0;
      const sink = {
        write(chunk: Uint8Array): boolean {
          whole.set(chunk, at);
          at += chunk.length;
          return true;
        },
        once: () => undefined,
        writableLength: 0,
      };
      if (found.size > 0)
        await readBlob(client, id, { offset: 0, length: found.size, whole: true }, sink, signal);
      return whole;
    },

    async stat(id, signal) {
      const found = await statBlob(client, engineKey(id), signal);
      return found && { size: found.size, tier: found.tier };
    },

    async remove(ids, signal) {
      const waiting = ids.values();
      const worker = async (): Promise<void> => {
        for (const id of waiting) await removeOne(id, signal);
      };
      await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_DELETES, ids.length) }, worker));
    },

    async copy(from, to, write) {
      const found = await statBlob(client, engineKey(from), write.signal);
      if (!found) throw new BlobNotFoundError(from);
      if (found.size > ENGINE_COPY_LIMIT) return copyByStream(self, from, to, write);
      await copyInEngine(from, to, write, found.size);
    },

    presign(id, { expiresSeconds, headers = {}, origin }) {
      const parameters = Object.entries(headers).map(([name, value]): [string, string] => [
        `response-${name}`,
        value,
      ]);
      return client.presignedUrl(engineKey(id), origin, { expiresSeconds, parameters });
    },

    listHours: (signal) => listHours(client, signal),
    list: (hour, list = {}) => listHour(client, hour, list),
    abortStale: (olderThan, signal) => abortStale(client, olderThan.getTime(), signal),

    async ensureReady(signal) {
      const doing = 'looking for the engine bucket';
      const found = await client.call({ method: 'HEAD', expect: [200, 404], doing, signal });
      if (found.status === 200) return;
      // 409 if another process was faster; the second check shows whether the bucket is ours.
      await client.call({ method: 'PUT', expect: [200, 409], doing: 'making the engine bucket', signal });
      await client.call({ method: 'HEAD', expect: [200], doing, signal });
    },

    async ping(signal) {
      await client.call({ method: 'HEAD', expect: [200], doing: 'asking the engine', signal, retry: false });
    },

    probeColdClass: (signal) => probeColdClass(client, signal),

    close: () => client.close(),
  };
  return self;
}
