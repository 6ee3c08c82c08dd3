/**
 * Upload tokens and URLs that the server signs, for callers that hold no secret key: an access token, a session of the console.
 * With an access key, `uploadToken` and `downloadUrl` of the client do the same without a request.
 */
import type { DownloadParts, PolicyFields } from '@millpond/protocol';
import type { Caller, CallOptions } from './caller.ts';
import type { SignedUploadToken, SignedUrl } from './records.ts';

export interface SigningOptions extends CallOptions {
  /** Which key of the account signs; by default its oldest enabled root key. */
  readonly accessKey?: string | undefined;
}

export interface SignedUrlOptions extends SigningOptions, DownloadParts {
  /** Seconds for which it is valid; default one hour. */
  readonly expires?: number | undefined;
  /** A host name bound to the bucket, such as `files.example.com`; with `http://` before it if it has no TLS. */
  readonly domain?: string | undefined;
}

export class Signing {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  uploadToken(
    policy: PolicyFields & { readonly scope: string },
    { signal, accessKey }: SigningOptions = {},
  ): Promise<SignedUploadToken> {
    return this.#signed('/v1/sign/upload-token', { policy, accessKey }, signal);
  }

  downloadUrl(
    bucket: string,
    key: string,
    { signal, ...options }: SignedUrlOptions = {},
  ): Promise<SignedUrl> {
    return this.#signed('/v1/sign/download-url', { bucket, key, ...options }, signal);
  }

  #signed<T>(target: string, json: object, signal: AbortSignal | undefined): Promise<T> {
    return this.#caller.json({ role: 'api', target, json, repeatable: true, signal });
  }
}
