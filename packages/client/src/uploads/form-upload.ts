/** An upload by form: one request, with the content's CRC-32 for the server to check; its hash is checked here. */
import { etagOfBytes } from '../core/digests.ts';
import { withRetries } from '../core/retry.ts';
import type { UploadOptions, UploadResult } from './options.ts';
import {
  checkHash,
  exchange,
  metadataFields,
  tokenOf,
  type UploadParts,
  variableFields,
} from './upload-request.ts';

const encoder = new TextEncoder();

export async function uploadForm(
  parts: UploadParts,
  bytes: Uint8Array<ArrayBuffer>,
  options: UploadOptions,
): Promise<UploadResult> {
  const hash = await etagOfBytes(parts.digests, bytes);
  const crc32 = parts.digests.crc32(bytes);
  const { signal, onProgress } = options;
  onProgress?.({ done: 0, total: bytes.length, sent: 0 });
  const { body, reqid } = await withRetries(
    async () => {
      const boundary = `millpond-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
      const token = await tokenOf(options);
      const fields: [string, string][] = [
        ['token', token],
        ...(options.key === undefined ? [] : [['key', options.key] as [string, string]]),
        ['crc32', String(crc32)],
        ...variableFields(options),
        ...metadataFields(parts, options),
      ];
      const answered = await exchange(parts, {
        method: 'POST',
        path: '/',
        token,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: [formHead(boundary, fields, options), bytes, encoder.encode(`\r\n--${boundary}--\r\n`)],
        signal,
      });
      checkHash(answered.body.hash, hash, answered.reqid);
      return answered;
    },
    options.retry,
    { signal, repeatable: true },
  );
  onProgress?.({ done: bytes.length, total: bytes.length, sent: bytes.length });
  return {
    hash,
    key: typeof body.key === 'string' ? body.key : options.key,
    answer: body,
    way: 'form',
    size: bytes.length,
    sent: bytes.length,
    reqid,
  };
}

function formHead(
  boundary: string,
  fields: readonly (readonly [string, string])[],
  { fileName, mimeType = 'application/octet-stream' }: UploadOptions,
): Uint8Array<ArrayBuffer> {
  const texts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName ?? 'file')}"\r\n`;
  return encoder.encode(`${texts.join('')}${file}Content-Type: ${mimeType.replace(/[\r\n]/g, ' ')}\r\n\r\n`);
}

/** As browsers write names into a form. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
