/** Calls that sign, at the `api` host. HTTPS only: what they answer is a credential. */
import {
  askedToUpload,
  encodeUploadPolicy,
  Fault,
  type PolicyFields,
  parseUploadPolicy,
} from '@millpond/protocol';
import type { Asks, Authenticate } from '../../identity/accounts/index.ts';
import { type Call, jsonBody, type Route } from '../../platform/web/index.ts';
import { readNew, refused, resourceRoutes, text, whole } from '../../platform/web/resources/index.ts';
import type { Signing } from './signing.service.ts';

/** Ten years. */
const LONGEST_SECONDS = 315_360_000;
const KEY_BYTES = 1024;
const QUERY_BYTES = 8192;

const accessKey = text(128);
const urlFields = {
  bucket: text(64),
  key: text(KEY_BYTES),
  query: text(QUERY_BYTES),
  attname: text(KEY_BYTES),
  expires: whole(1, LONGEST_SECONDS, 3600),
  domain: text(300),
  accessKey,
};

export function signingRoutes(signing: Signing, authenticate: Authenticate, plainHttp: boolean): Route[] {
  const asking = (asks: Asks) =>
    resourceRoutes({ role: 'api', plainHttp, authenticate: (call: Call) => authenticate(call, asks) });
  return [
    asking(askedOfPolicy)('POST', '/sign/upload-token', async ({ caller, call }) => {
      const body = jsonBody(call);
      const { accessKey: named } = readNew({ accessKey }, body);
      return signing.uploadToken(caller, policyOf(body), named || undefined);
    }),
    asking(askedOfUrl)('POST', '/sign/download-url', async ({ caller, call }) => {
      const body = jsonBody(call);
      // An empty key is one, too.
      if (typeof body.key !== 'string') throw refused('key must be given, as a string');
      const { accessKey: named, query, attname, domain, ...object } = readNew(urlFields, body);
      const request = { ...object, query, attname: attname || undefined, domain: domain || undefined };
      const asked = { host: call.host, secure: call.peer.secure };
      return signing.downloadUrl(caller, request, asked, named || undefined);
    }),
  ];
}

/** Known to be an object; the encoder judges its fields. */
function policyOf({ policy }: Readonly<Record<string, unknown>>): PolicyFields {
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy))
    throw new Fault('invalidPolicy', { hint: 'policy must be a JSON object' });
  return policy;
}

/** A deadline is added later, if there is none. */
const askedOfPolicy: Asks = (call) => {
  const policy = { deadline: 1, ...policyOf(jsonBody(call)) };
  return askedToUpload(parseUploadPolicy(Buffer.from(encodeUploadPolicy(policy))));
};

const askedOfUrl: Asks = (call) => {
  const { bucket, key } = readNew(urlFields, jsonBody(call));
  return { action: 'read', bucket, key };
};
