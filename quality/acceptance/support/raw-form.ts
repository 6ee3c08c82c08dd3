/**
 * Forms byte by byte: parts in any order, broken on purpose, sent piece by piece over a plain socket. What a well-behaved
 * client library would never send must be sendable here.
 */
import { openConnection, type RawResponse } from './raw.ts';

export const BOUNDARY = 'acceptance-boundary-7c1d';

export interface Part {
  readonly name: string;
  readonly value: Uint8Array | string;
  /** Given: the part is a file. */
  readonly fileName?: string;
  /** Default: no Content-Type line at all. */
  readonly mimeType?: string;
}

export function field(name: string, value: Uint8Array | string): Part {
  return { name, value };
}

export function file(value: Uint8Array | string, fileName = 'file', mimeType?: string): Part {
  return { name: 'file', value, fileName, ...(mimeType === undefined ? {} : { mimeType }) };
}

/** The body from its first boundary to the end of its last part, without the closing boundary. */
export function openBody(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [head(part), Buffer.from(part.value), Buffer.from('\r\n')]));
}

/** A whole, well-formed body. */
export function wholeBody(parts: readonly Part[]): Buffer {
  return Buffer.concat([openBody(parts), CLOSING]);
}

export const CLOSING = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Boundary and headers of a part; its bytes follow. */
export function head({ name, fileName, mimeType }: Omit<Part, 'value'>): Buffer {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  return Buffer.from(
    `--${BOUNDARY}\r\n${disposition}${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n${
      mimeType === undefined ? '' : `Content-Type: ${mimeType}\r\n`
    }\r\n`,
  );
}

/** What `fetch` answers with, as far as tests look at it; `fetch` itself could not have sent these requests. */
export type FormResponse = Pick<Response, 'status' | 'headers' | 'text' | 'json'>;

export interface RawUpload {
  send(bytes: Uint8Array | string): Promise<void>;
  /** Sends bytes as they are, below the chunked encoding. */
  sendRaw(bytes: Uint8Array): Promise<void>;
  /** Ends the body and gives the answer. */
  finish(): Promise<FormResponse>;
  /** Resolves as soon as the server has answered, which may be before the body has ended. */
  readonly answer: Promise<FormResponse>;
  /** Goes away without a word. */
  leave(): void;
}

export interface RawUploadOptions {
  /** Default: chunked, without Content-Length. */
  readonly contentLength?: number;
  readonly contentType?: string;
  /** Another address of the loopback network, as another client would have. */
  readonly from?: string;
}

/** Opens an upload and sends its headers. */
export async function openUpload(url: string, options: RawUploadOptions = {}): Promise<RawUpload> {
  const { contentLength, contentType = `multipart/form-data; boundary=${BOUNDARY}` } = options;
  const connection = await openConnection(url, options.from);
  const { socket } = connection;
  const answer = connection.answer('POST').then(likeFetch);
  // Whoever doesn't ask for the answer has left on purpose.
  answer.catch(() => undefined);
  const chunked = contentLength === undefined;
  const write = (bytes: Uint8Array | string) =>
    new Promise<void>((resolve) => {
      // A server that has refused the upload stops reading; its answer says why.
      socket.write(bytes, () => resolve());
    });
  await write(
    `POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: ${contentType}\r\n${
      chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${contentLength}`
    }\r\n\r\n`,
  );
  return {
    answer,
    sendRaw: write,
    async send(bytes) {
      const piece = Buffer.from(bytes);
      if (piece.length === 0) return;
      await write(
        chunked ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, LINE]) : piece,
      );
    },
    async finish() {
      if (chunked) await write('0\r\n\r\n');
      return answer;
    },
    leave: () => socket.destroy(),
  };
}

/** Sends a body in one go, with its length. */
export async function postBody(url: string, body: Uint8Array, contentType?: string): Promise<FormResponse> {
  const upload = await openUpload(url, {
    contentLength: body.length,
    ...(contentType === undefined ? {} : { contentType }),
  });
  await upload.send(body);
  return upload.finish();
}

export function postParts(url: string, parts: readonly Part[]): Promise<FormResponse> {
  return postBody(url, wholeBody(parts));
}

const LINE = Buffer.from('\r\n');

function likeFetch(answer: RawResponse): FormResponse {
  return {
    status: answer.status,
    headers: new Headers(answer.headers.map(([name, value]): [string, string] => [name, value])),
    text: async () => answer.text(),
    json: async () => answer.json(),
  };
}
