/**
 * Parses the whole upload policy: every rule that can be checked without the file is checked here, before a byte of it
 * is stored. The result is typed, defaulted and, where it is a template, parsed.
 */
import { type Dialect, dialects } from '../dialect.ts';
import { Fault } from '../errors/fault.ts';
import type { ResponseHeaders } from '../http/response-headers.ts';
import { essenceOf, isValidMimeType } from '../mime/type.ts';
import { FORM_TYPE } from '../signing/legacy-management.ts';
import { isArchiveClass } from '../storage-classes.ts';
import { parseTemplate, type Template } from '../template/parse.ts';
import type { PolicyFields } from './fields.ts';
import { type MimeLimit, parseMimeLimit } from './mime.ts';
import { readPolicy } from './read.ts';
import { invalidPolicy } from './refuse.ts';
import { parseScope, type Scope } from './scope.ts';
import { checkHttpUrl, splitCallbackUrls } from './url.ts';

export interface UploadPolicy {
  readonly scope: Scope;
  readonly isPrefixalScope: boolean;
  readonly insertOnly: boolean;
  /** Unix time in seconds. */
  readonly deadline: number;
  readonly endUser: string | undefined;
  /** With a callback, returnUrl and returnBody have no effect and no value. */
  readonly returnUrl: string | undefined;
  readonly returnBody: Template | undefined;
  /** In the order in which they are tried; empty if there is no callback. */
  readonly callbackUrls: readonly Template[];
  readonly callbackHost: string | undefined;
  readonly callbackBody: Template | undefined;
  /** As written: it goes into the Content-Type header. */
  readonly callbackBodyType: string;
  readonly callbackFetchKey: boolean;
  readonly persistentOps: Template | undefined;
  readonly persistentWorkflowTemplateID: string | undefined;
  readonly persistentNotifyUrl: string | undefined;
  readonly persistentPipeline: string | undefined;
  readonly persistentType: 0 | 1;
  readonly persistentOpsForce: boolean;
  readonly saveKey: Template | undefined;
  readonly forceSaveKey: boolean;
  readonly fsizeMin: number | undefined;
  readonly fsizeLimit: number | undefined;
  readonly detectMime: number;
  readonly mimeLimit: MimeLimit | undefined;
  readonly fileType: number;
  readonly deleteAfterDays: number | undefined;
  /** In bit/s. */
  readonly trafficLimit: number | undefined;
  readonly keylimit: readonly string[] | undefined;
  /** Headers for downloads, whatever the client asks for; an empty text: no header. */
  readonly responseHeaders: ResponseHeaders;
}

export const DEFAULT_CALLBACK_BODY_TYPE = FORM_TYPE;

/** Takes the encoded policy of an upload token, or its JSON as bytes. */
export function parseUploadPolicy(
  policy: string | Uint8Array,
  { tasksWithoutNotice }: Pick<Dialect, 'tasksWithoutNotice'> = dialects.svc,
): UploadPolicy {
  const fields = readPolicy(policy);
  if (fields.scope === undefined) throw new Fault('scopeNotSpecified');
  if (fields.deadline === undefined) throw invalidPolicy('deadline is missing');
  if (fields.forceSaveKey === true && fields.saveKey === undefined)
    throw invalidPolicy('forceSaveKey needs saveKey');
  checkProcessing(fields, tasksWithoutNotice);
  const hasCallback = fields.callbackUrl !== undefined;
  if (fields.callbackFetchKey === 1 && !hasCallback)
    throw invalidPolicy('callbackFetchKey needs callbackUrl');
  if (fields.returnUrl !== undefined) checkHttpUrl('returnUrl', fields.returnUrl);
  return {
    scope: parseScope(fields.scope),
    isPrefixalScope: fields.isPrefixalScope === 1,
    insertOnly: (fields.insertOnly ?? 0) !== 0,
    deadline: fields.deadline,
    endUser: fields.endUser,
    returnUrl: hasCallback ? undefined : fields.returnUrl,
    returnBody:
      hasCallback || fields.returnBody === undefined
        ? undefined
        : parseTemplate(fields.returnBody, 'body', 'json'),
    ...readCallback(fields),
    persistentOps:
      fields.persistentOps === undefined
        ? undefined
        : parseTemplate(fields.persistentOps, 'persistentOps', 'command'),
    persistentWorkflowTemplateID: fields.persistentWorkflowTemplateID,
    persistentNotifyUrl: fields.persistentNotifyUrl,
    persistentPipeline: fields.persistentPipeline,
    persistentType: fields.persistentType === 1 ? 1 : 0,
    persistentOpsForce: fields.persistentOpsForce === 1,
    saveKey: fields.saveKey === undefined ? undefined : parseTemplate(fields.saveKey, 'saveKey', 'plain'),
    forceSaveKey: fields.forceSaveKey ?? false,
    fsizeMin: fields.fsizeMin,
    fsizeLimit: fields.fsizeLimit,
    detectMime: fields.detectMime ?? 0,
    mimeLimit: fields.mimeLimit === undefined ? undefined : parseMimeLimit(fields.mimeLimit),
    fileType: fields.fileType ?? 0,
    deleteAfterDays: fields.deleteAfterDays,
    trafficLimit: fields.trafficLimit,
    keylimit: fields.keylimit,
    responseHeaders: fields.responseHeaders ?? {},
  };
}

function checkProcessing(fields: PolicyFields, tasksWithoutNotice: boolean): void {
  const { persistentOps, persistentWorkflowTemplateID, persistentNotifyUrl, callbackUrl, callbackBody } =
    fields;
  if (fields.persistentType === 1 && fields.persistentPipeline !== undefined) {
    throw invalidPolicy('an idle-time task (persistentType 1) cannot name a persistentPipeline');
  }
  if (persistentNotifyUrl !== undefined) checkHttpUrl('persistentNotifyUrl', persistentNotifyUrl);
  if (persistentOps !== undefined && persistentWorkflowTemplateID !== undefined) {
    throw invalidPolicy('persistentOps and persistentWorkflowTemplateID cannot be combined');
  }
  if (persistentOps === undefined && persistentWorkflowTemplateID === undefined) return;
  if (persistentOps !== undefined && persistentNotifyUrl === undefined && !tasksWithoutNotice) {
    throw invalidPolicy('persistentOps notify url not specified');
  }
  if (isArchiveClass(fields.fileType ?? 0)) {
    throw invalidPolicy('archive objects (fileType 2 or 3) cannot be processed');
  }
  // Without a body nobody would ever learn the persistentId.
  if (callbackUrl !== undefined && callbackBody === undefined)
    throw invalidPolicy('callbackUrl needs callbackBody');
}

export type PolicyCallback = Pick<
  UploadPolicy,
  'callbackUrls' | 'callbackHost' | 'callbackBody' | 'callbackBodyType' | 'callbackFetchKey'
>;

/** The callback of an upload, or of anything else that offers the same kind of callback. */
export function readCallback(
  fields: Pick<
    PolicyFields,
    'callbackUrl' | 'callbackHost' | 'callbackBody' | 'callbackBodyType' | 'callbackFetchKey'
  >,
): PolicyCallback {
  const { callbackUrl, callbackHost, callbackBody, callbackBodyType = DEFAULT_CALLBACK_BODY_TYPE } = fields;
  if (
    callbackHost !== undefined &&
    !/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(callbackHost)
  ) {
    throw invalidPolicy('callbackHost must be a host name, with or without a port');
  }
  const encoding = bodyEncoding(callbackBodyType);
  return {
    callbackUrls:
      callbackUrl === undefined
        ? []
        : splitCallbackUrls(callbackUrl).map((url) => parseTemplate(url, 'callbackUrl', 'plain')),
    callbackHost,
    callbackBody:
      callbackUrl === undefined || callbackBody === undefined
        ? undefined
        : parseTemplate(callbackBody, 'body', encoding),
    callbackBodyType,
    callbackFetchKey: fields.callbackFetchKey === 1,
  };
}

/** Values can be encoded safely only for a type that we know. */
function bodyEncoding(callbackBodyType: string): 'form' | 'json' {
  const essence = isValidMimeType(callbackBodyType) ? essenceOf(callbackBodyType) : undefined;
  if (essence === DEFAULT_CALLBACK_BODY_TYPE) return 'form';
  if (essence === 'application/json') return 'json';
  throw invalidPolicy(`callbackBodyType must be ${DEFAULT_CALLBACK_BODY_TYPE} or application/json`);
}
