/** Every call of an account, with its access key or an access token. For servers: keys do not belong in a page. */
import {
  type AccessKeyPair,
  type DownloadParts,
  type dialects,
  type EncodeOptions,
  encodeUploadPolicy,
  Fault,
  makeUploadToken,
  type PolicyFields,
  parsePm3u8,
  printPm3u8,
  signDownloadUrl,
  unsignedDownloadUrl,
} from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import type { RetryOptions } from '../core/retry.ts';
import type { Transport } from '../core/transport.ts';
import { asUsageError } from '../core/usage-error.ts';
import { type Download, type DownloadOptions, download } from '../downloads/download.ts';
import { nodeDigests } from '../node/digests.ts';
import { type DownloadedFile, type DownloadFileOptions, downloadFile } from '../node/download-file.ts';
import { fileSource } from '../node/file-source.ts';
import { hashing } from '../node/hashing.ts';
import { nodeTransport } from '../node/transport.ts';
import type { Journal } from '../uploads/journal.ts';
import type { UploadOptions, UploadResult } from '../uploads/options.ts';
import type { Content } from '../uploads/source.ts';
import { Uploader } from '../uploads/uploader.ts';
import { Caller, type CallOptions } from './caller.ts';
import { Calls } from './calls.ts';
import { authorityOf, type Credentials } from './credentials.ts';
import { type Hosts, hostOf } from './hosts.ts';

export interface ClientOptions {
  /** `https://millpond.example.com`, or a URL for each role that is elsewhere. */
  readonly url: Hosts;
  readonly credentials?: Credentials | undefined;
  /** Default: `svc`. */
  readonly dialect?: keyof typeof dialects | undefined;
  readonly journal?: Journal | undefined;
  readonly transport?: Transport | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** For an upload with the client's own key: the token is made for it. */
export interface OwnUploadOptions extends Omit<UploadOptions, 'token'> {
  readonly policy?: Omit<PolicyFields, 'scope'> | undefined;
  /** Refuse to replace an object with different content (614). */
  readonly insertOnly?: boolean | undefined;
}

export interface DownloadUrlOptions extends DownloadParts {
  /** The object is an HLS playlist: the objects of its bucket that it names are signed too, so that the URL plays. */
  readonly playlist?: boolean | PlaylistOptions | undefined;
  /** Seconds for which it is valid; default one hour. */
  readonly expires?: number | undefined;
  /** A host name bound to the bucket, such as `files.example.com`; with `http://` before it if it has no TLS. */
  readonly domain?: string | undefined;
}

/** How far the signatures in a playlist reach. */
export interface PlaylistOptions {
  /** Seconds from each request for the playlist; default: until the URL itself expires. */
  readonly expires?: number | undefined;
  /** Only objects whose keys begin with it: for playlists that somebody else may have written. */
  readonly prefix?: string | undefined;
}

const TOKEN_SECONDS = 3600;
const DOWNLOAD_SECONDS = 3600;

export class Client extends Calls {
  readonly #options: ClientOptions;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    checkGiven(options);
    const { credentials, dialect = 'svc', transport = nodeTransport() } = options;
    super(
      new Caller({
        hosts: options.url,
        authority: credentials && authorityOf(credentials, dialect),
        dialect,
        transport,
        retry: options.retry,
      }),
    );
    this.#options = options;
    this.#transport = transport;
  }

  /**
   * For your own clients. A mistake in the policy throws here, and so does a field that no server knows, because it
   * would have no effect. `allowUnknown` signs such a field anyway.
   */
  uploadToken(policy: PolicyFields & { readonly scope: string }, options: EncodeOptions = {}): string {
    const deadline = policy.deadline ?? Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
    const encoded = asUsageError(() => encodeUploadPolicy({ ...policy, deadline }, options));
    return makeUploadToken(hashing, this.#keys, encoded);
  }

  /** Overwrites, unless told otherwise. For files: `uploadFile`. */
  upload(
    bucket: string,
    key: string,
    content: Content,
    options: OwnUploadOptions = {},
  ): Promise<UploadResult> {
    return this.#uploader().upload(content, this.#uploadOptions(bucket, key, options));
  }

  /** Continues where an earlier call was killed, if the client has a journal. */
  async uploadFile(
    bucket: string,
    key: string,
    file: string,
    options: OwnUploadOptions = {},
  ): Promise<UploadResult> {
    const source = await fileSource(file);
    try {
      return await this.upload(bucket, key, source, options);
    } finally {
      await source.close();
    }
  }

  uploadStream(
    bucket: string,
    key: string,
    content: AsyncIterable<Uint8Array>,
    options: OwnUploadOptions = {},
  ): Promise<UploadResult> {
    return this.#uploader().uploadStream(content, this.#uploadOptions(bucket, key, options));
  }

  /** Abandons an incomplete upload in parts, by the id that `onBegin` gave; its parts are not kept. */
  giveUp(bucket: string, key: string, uploadId: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#uploader().giveUp(uploadId, this.#uploadOptions(bucket, key, { signal }));
  }

  /** From public and private buckets alike; `query` is a command on images or similar. */
  download(
    bucket: string,
    key: string,
    options: DownloadOptions & { query?: string } = {},
  ): Promise<Download> {
    const parts = { transport: this.#transport, digests: nodeDigests };
    return download(parts, () => this.downloadUrl(bucket, key, options), {
      retry: this.#options.retry,
      ...options,
    });
  }

  /** Into a file, which appears only when it is complete. Continues where an earlier call was killed. */
  downloadFile(
    bucket: string,
    key: string,
    file: string,
    options: DownloadFileOptions & { query?: string } = {},
  ): Promise<DownloadedFile> {
    return downloadFile((place) => this.download(bucket, key, { ...options, ...place }), file, options);
  }

  /** A URL that works for anyone who has it, for a while: default one hour. */
  downloadUrl(bucket: string, key: string, options: DownloadUrlOptions = {}): string {
    const place =
      options.domain === undefined
        ? `${hostOf(this.#options.url, 'io')}/${encodeURIComponent(bucket)}`
        : originOf(options.domain);
    const parts = { query: commandOf(options), attname: options.attname };
    const deadline = Math.floor(Date.now() / 1000) + (options.expires ?? DOWNLOAD_SECONDS);
    const keys = this.#keys;
    return asUsageError(() =>
      signDownloadUrl(hashing, keys, unsignedDownloadUrl(place, key, parts), deadline),
    );
  }

  #uploadOptions(bucket: string, key: string, options: OwnUploadOptions): UploadOptions {
    const { policy, insertOnly, ...rest } = options;
    const token = () =>
      this.uploadToken({ scope: `${bucket}:${key}`, ...(insertOnly ? { insertOnly: 1 } : {}), ...policy });
    const confirm = async (hash: string) => (await this.objects.stat(bucket, key)).hash === hash;
    return { retry: this.#options.retry, confirm, ...rest, key, token };
  }

  #uploader(): Uploader {
    return new Uploader({
      url: hostOf(this.#options.url, 'up'),
      transport: this.#transport,
      digests: nodeDigests,
      journal: this.#options.journal,
      dialect: this.#options.dialect,
    });
  }

  get #keys(): AccessKeyPair {
    const { credentials } = this.#options;
    if (credentials === undefined || 'accessToken' in credentials)
      throw new MillpondError('usage', 'tokens and URLs are signed with an access key');
    return credentials;
  }
}

function commandOf({ query = '', playlist }: DownloadUrlOptions): string {
  if (playlist === undefined || playlist === false) return query;
  if (query !== '') throw new MillpondError('usage', 'a playlist cannot be combined with another command');
  const { expires, prefix } = playlist === true ? {} : playlist;
  const command = printPm3u8({ expires, deadline: undefined, prefix: prefix === '' ? undefined : prefix });
  try {
    parsePm3u8(command);
  } catch (cause) {
    throw new MillpondError('usage', `playlist: ${cause instanceof Fault ? cause.hint : String(cause)}`, {
      cause,
    });
  }
  return command;
}

function originOf(domain: string): string {
  const text = /^https?:\/\//.test(domain) ? domain : `https://${domain}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || `${parsed.origin}/` !== parsed.href || parsed.origin !== text.toLowerCase())
    throw new MillpondError('usage', `${JSON.stringify(domain)} is not a host name: give it without a path`);
  return parsed.origin;
}

/** Most of these come from the environment, where one is easily missing: better reported here than deep inside a call. */
function checkGiven({
  url,
  credentials,
}: { readonly [Name in keyof ClientOptions]?: ClientOptions[Name] }): void {
  // An empty one is fine for tokens, which are made here; calls refuse it.
  if (url === undefined || url === null) throw missing('url', 'such as https://millpond.example.com');
  if (!credentials) return;
  if ('accessToken' in credentials) {
    if (!credentials.accessToken)
      throw missing('credentials.accessToken', 'a string, or a function that returns it');
    return;
  }
  for (const name of ['accessKey', 'secretKey'] as const)
    if (!credentials[name]) throw missing(`credentials.${name}`, 'from your operator or `millpond dev env`');
}

function missing(name: string, words: string): MillpondError {
  return new MillpondError('usage', `the client has no ${name}: give one, ${words}`);
}
