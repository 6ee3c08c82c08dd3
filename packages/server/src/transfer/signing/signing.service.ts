/**
 * Signs upload tokens and download URLs with a key of the caller's account. The caller gets no more than it has: with limits it
 * signs only with its own key, and what any key signs is judged by that key's limits when it is used.
 */
import {
  checkKey,
  type DownloadParts,
  encodeUploadPolicy,
  Fault,
  makeUploadToken,
  type PolicyFields,
  parseUploadPolicy,
  signDownloadUrl,
  unsignedDownloadUrl,
  type WireRecord,
} from '@millpond/protocol';
import type { AccessKey, Keyring, Principal } from '../../identity/accounts/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import { type Bucket, type Buckets, type Domains, parseDomain } from '../../storage/buckets/index.ts';

export interface SigningServiceDeps {
  readonly keyring: Keyring;
  readonly buckets: Buckets;
  readonly domains: Domains;
  readonly downloadSuffix: string | undefined;
  readonly downloadsAt: (origin: RequestOrigin) => string;
}

/** How the caller reached us. */
export interface RequestOrigin {
  readonly host: string;
  readonly secure: boolean;
}

export interface UrlRequest extends DownloadParts {
  readonly bucket: string;
  readonly key: string;
  /** Seconds. */
  readonly expires: number;
  readonly domain: string | undefined;
}

const TOKEN_SECONDS = 3600;

export class Signing {
  readonly #deps: SigningServiceDeps;

  constructor(deps: SigningServiceDeps) {
    this.#deps = deps;
  }

  async uploadToken(
    caller: Principal,
    policy: PolicyFields,
    accessKey: string | undefined,
  ): Promise<WireRecord<'SignedUploadToken'>> {
    const key = await this.#keyFor(caller, accessKey);
    const signed = { ...policy, deadline: policy.deadline ?? now() + TOKEN_SECONDS };
    const json = encodeUploadPolicy(signed);
    const { scope, deadline } = parseUploadPolicy(Buffer.from(json));
    if (deadline <= now()) throw new Fault('invalidPolicy', { hint: 'the deadline has passed' });
    await this.#deps.buckets.owned(caller.uid, scope.bucket);
    return { token: makeUploadToken(nodeHashing, key, json), accessKey: key.accessKey, policy: signed };
  }

  async downloadUrl(
    caller: Principal,
    request: UrlRequest,
    origin: RequestOrigin,
    accessKey: string | undefined,
  ): Promise<WireRecord<'SignedUrl'>> {
    checkKey(request.key);
    const key = await this.#keyFor(caller, accessKey);
    const bucket = await this.#deps.buckets.owned(caller.uid, request.bucket);
    const place =
      request.domain === undefined
        ? `${this.#deps.downloadsAt(origin)}/${bucket.name}`
        : await this.#originOf(request.domain, bucket, origin);
    const deadline = now() + request.expires;
    const url = unsignedDownloadUrl(place, request.key, request);
    return { url: signDownloadUrl(nodeHashing, key, url, deadline), deadline };
  }

  async #keyFor({ uid, key: own }: Principal, accessKey: string | undefined): Promise<AccessKey> {
    if (own?.limits !== undefined) {
      if (accessKey === undefined || accessKey === own.accessKey) return own;
      throw new Fault('keyLimited', { hint: 'a key with limits signs only with itself' });
    }
    const { keyring } = this.#deps;
    const key = accessKey === undefined ? await keyring.rootOf(uid) : await keyring.findUsed(accessKey);
    if (key?.uid === uid) return key;
    throw new Fault('invalidArgument', {
      hint:
        accessKey === undefined
          ? 'the account has no enabled root key without limits: name an accessKey'
          : 'accessKey: the account has no such key, or it is disabled',
    });
  }

  /** Only a host where the bucket's objects answer: elsewhere the URL would give its signature to somebody else. */
  async #originOf(domain: string, bucket: Bucket, { secure }: RequestOrigin): Promise<string> {
    const [, scheme, name = ''] = /^(?:(https?):\/\/)?(.*)$/i.exec(domain) ?? [];
    const host = parseDomain(name);
    const { domains, downloadSuffix } = this.#deps;
    const isOwn = downloadSuffix !== undefined && host === `${bucket.name}.${downloadSuffix}`.toLowerCase();
    if (!isOwn && !(await domains.list(bucket)).some((row) => row.domain === host))
      throw new Fault('noSuchDomain', { hint: `${host} is not bound to ${bucket.name}` });
    return `${scheme?.toLowerCase() ?? (secure ? 'https' : 'http')}://${host}`;
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
