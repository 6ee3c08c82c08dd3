/** API calls to our own server on this machine, over TLS with its own certificate. */
import { request } from 'node:https';
import { buffer as readAll } from 'node:stream/consumers';
import { type AccessKeyPair, dialects, makeUploadToken, signManagement } from '@millpond/protocol';
import { nodeHashing } from '@millpond/server';

export interface LocalServer {
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly dialect: keyof typeof dialects;
}

interface LocalCall {
  readonly method: 'POST' | 'PUT';
  readonly target: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly keys?: AccessKeyPair;
}

const RESPONSE_TIMEOUT_MS = 60_000;

/** Rejects with the server's answer if the status is not 200. */
export async function callLocally(server: LocalServer, call: LocalCall): Promise<void> {
  const { method, target, contentType, body, keys } = call;
  const host = `127.0.0.1:${server.port}`;
  const signed =
    keys &&
    signManagement(
      nodeHashing,
      keys,
      { method, target, host, contentType, headers: [], body },
      dialects[server.dialect],
    );
  const headers = {
    'content-type': contentType,
    'content-length': body.length,
    ...(signed === undefined ? {} : { authorization: signed }),
  };
  await new Promise<void>((resolve, reject) => {
    const options = { method, headers, ca: server.certificate, timeout: RESPONSE_TIMEOUT_MS, agent: false };
    const sent = request(`https://${host}${target}`, options, (answer) => {
      readAll(answer).then((bytes) => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${answer.statusCode} ${bytes.toString().slice(0, 300)}`));
      }, reject);
    });
    sent.once('error', reject).once('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(body);
  });
}

export interface LocalUpload {
  readonly bucket: string;
  readonly key: string;
  readonly content: Blob;
  readonly fileName: string;
  readonly mimeType: string | undefined;
  readonly storageClass: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export async function uploadLocally(
  server: LocalServer,
  keys: AccessKeyPair,
  upload: LocalUpload,
): Promise<void> {
  const policy = {
    scope: `${upload.bucket}:${upload.key}`,
    deadline: Math.floor(Date.now() / 1000) + 3600,
    ...(upload.storageClass === undefined ? {} : { fileType: upload.storageClass }),
    // The seed file's type counts; if it names none, the content decides.
    ...(upload.mimeType === undefined ? {} : { detectMime: -1 }),
  };
  const form = new FormData();
  form.set('token', makeUploadToken(nodeHashing, keys, JSON.stringify(policy)));
  form.set('key', upload.key);
  const prefix = dialects[server.dialect].metaPrefix;
  for (const [name, value] of Object.entries(upload.metadata)) form.set(`${prefix}${name}`, value);
  form.set('file', new Blob([upload.content], { type: upload.mimeType ?? '' }), upload.fileName);
  const written = new Response(form);
  await callLocally(server, {
    method: 'POST',
    target: '/',
    contentType: written.headers.get('content-type') ?? '',
    body: new Uint8Array(await written.arrayBuffer()),
  });
}
