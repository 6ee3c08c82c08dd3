/** Calls that sign, at the `api` host. HTTPS only: what they answer is a credential. */
import {
  encodeUploadPolicy,
  Fault,
  type PolicyFields,
  parseUploadPolicy,
  permissionsToUpload,
} from '@millpond/protocol';
import type { Authenticate, PermissionsForCall } from '../../identity/accounts/index.ts';
import { jsonBody, type RequestContext, type Route } from '../../platform/web/index.ts';
import {
  integerField,
  invalidField,
  parseCreate,
  resourceRoutes,
  stringField,
} from '../../platform/web/resources/index.ts';
import type { Signing } from './signing.service.ts';

/** Ten years. */
const MAX_EXPIRES_SECONDS = 315_360_000;
const KEY_BYTES = 1024;
const QUERY_BYTES = 8192;

const accessKey = stringField(128);
const urlFields = {
  bucket: stringField(64),
  key: stringField(KEY_BYTES),
  query: stringField(QUERY_BYTES),
  attname: stringField(KEY_BYTES),
  expires: integerField(1, MAX_EXPIRES_SECONDS, 3600),
  domain: stringField(300),
  accessKey,
};

export function signingRoutes(signing: Signing, authenticate: Authenticate, plainHttp: boolean): Route[] {
  const asking = (permissionsForCall: PermissionsForCall) =>
    resourceRoutes({
      role: 'api',
      plainHttp,
      authenticate: (context: RequestContext) => authenticate(context, permissionsForCall),
    });
  return [
    asking(policyPermissions)('POST', '/sign/upload-token', async ({ caller, context }) => {
      const body = jsonBody(context);
      const { accessKey: named } = parseCreate({ accessKey }, body);
      return signing.uploadToken(caller, policyOf(body), named || undefined);
    }),
    asking(urlPermissions)('POST', '/sign/download-url', async ({ caller, context }) => {
      const body = jsonBody(context);
      // An empty key is one, too.
      if (typeof body.key !== 'string') throw invalidField('key must be given, as a string');
      const { accessKey: named, query, attname, domain, ...object } = parseCreate(urlFields, body);
      const request = { ...object, query, attname: attname || undefined, domain: domain || undefined };
      const asked = { host: context.host, secure: context.peer.secure };
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
const policyPermissions: PermissionsForCall = (context) => {
  const policy = { deadline: 1, ...policyOf(jsonBody(context)) };
  return permissionsToUpload(parseUploadPolicy(Buffer.from(encodeUploadPolicy(policy))));
};

const urlPermissions: PermissionsForCall = (context) => {
  const { bucket, key } = parseCreate(urlFields, jsonBody(context));
  return { action: 'read', bucket, key };
};
