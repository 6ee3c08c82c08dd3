/** Uploads in parts by the calls of the interface. */
import { encodeBase64Text, etagOfParts } from '@millpond/protocol';
import { hashing, uploadToken } from '@millpond/testing';
import fc from 'fast-check';
import { KIB, MIB } from '../../load/contents.ts';
import type { SystemUnderTest } from '../command.ts';
import { DETECTED_TYPE } from '../contents.ts';
import { NEW, type Upload } from '../state.ts';
import type { WireResponse } from '../wire.ts';
import type { PartProtocol } from './parts.ts';

const MIME_TYPE = 'text/x-parts';
const META = { one: '9' };

export const nativeParts: PartProtocol = {
  name: 'native',
  sizes: fc.constantFrom(KIB, 1, 300 * KIB, MIB),
  minBytes: MIB,
  way: 'parts',
  statuses: { noBucket: 631, gone: 612, aborted: 200 },
  held: (parts, content, type) => ({
    ...NEW,
    content,
    type,
    mimeType: MIME_TYPE,
    detectedType: DETECTED_TYPE,
    meta: META,
    hash: etagOfParts(
      hashing,
      parts.map(({ bytes, hash }) => ({ size: bytes.length, etag: hash })),
    ),
  }),
  begin: (system, bucket, key, type) => call(system, 'POST', { bucket, key, type }, ''),
  idIn: (answer) => (JSON.parse(answer.body.toString()) as { uploadId: string }).uploadId,
  put: (system, bucket, upload, number, content) =>
    call(system, 'PUT', at(bucket, upload), `/${upload.id}/${number}`, content.bytes),
  list: (system, bucket, upload) => call(system, 'GET', at(bucket, upload), `/${upload.id}`),
  listedIn(answer) {
    const { parts } = JSON.parse(answer.body.toString()) as { parts: { partNumber: number; size: number }[] };
    return parts.map(({ partNumber, size }) => [partNumber, size]);
  },
  complete(system, bucket, upload) {
    const parts = [...upload.parts]
      .toSorted(([one], [other]) => one - other)
      .map(([partNumber, { hash }]) => ({ partNumber, etag: hash }));
    const metadata = Object.fromEntries(
      Object.entries(META).map(([name, value]) => [`x-svc-meta-${name}`, value]),
    );
    const body = Buffer.from(JSON.stringify({ parts, mimeType: MIME_TYPE, metadata }));
    return call(system, 'POST', at(bucket, upload), `/${upload.id}`, body, 'application/json');
  },
  wrongCompletion(answer, { hash }) {
    const found = (JSON.parse(answer.body.toString()) as { hash: string }).hash;
    return found === hash ? undefined : `hash ${found} instead of ${hash}`;
  },
  abort: (system, bucket, upload) => call(system, 'DELETE', at(bucket, upload), `/${upload.id}`),
};

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly type: number;
}

function at(bucket: string, { at: { key }, type }: Upload): Target {
  return { bucket, key, type };
}

function call(
  system: SystemUnderTest,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  { bucket, key, type }: Target,
  rest: string,
  body?: Buffer,
  contentType = 'application/octet-stream',
): Promise<WireResponse> {
  const policy = { scope: `${bucket}:${key}`, ...(type !== 0 && { fileType: type }) };
  return system.wire.plain({
    method,
    path: `/buckets/${bucket}/objects/${encodeBase64Text(key)}/uploads${rest}`,
    headers: {
      authorization: `UpToken ${uploadToken(system.wire.account, policy)}`,
      ...(body && { 'content-type': contentType }),
    },
    body,
  });
}
