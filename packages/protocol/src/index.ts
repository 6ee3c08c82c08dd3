/** Millpond's wire protocol, pure: no I/O, no dependency, the same code in Node and in browsers. */

export { decodeBase64, decodeBase64Text, encodeBase64, encodeBase64Text, tryDecodeBase64 } from './base64.ts';
export { type CallDescription, calls, openApiDocument, type ServerOfRole } from './calls/index.ts';
export { type Condition, formatCondition, parseCondition } from './condition.ts';
export { DAY_MS, midnightAfter } from './day.ts';
export {
  type Dialect,
  dateHeaderName,
  deliveryHeaderName,
  dialects,
  type SignedBody,
  UPLOAD_SCHEME,
} from './dialect.ts';
export { foldEmail, isEmailAddress } from './email.ts';
export {
  type Entry,
  formatEntry,
  MAX_ENCODED_ENTRY_LENGTH,
  type ObjectEntry,
  parseEntry,
  parseObjectEntry,
} from './entry.ts';
export { equalBytes } from './equal-bytes.ts';
export { accountErrors } from './errors/accounts.ts';
export {
  type AccountErrorName,
  Fault,
  type FaultName,
  type FaultOptions,
  faultBody,
  faultWords,
  isAccountError,
  type ObjectErrorName,
} from './errors/fault.ts';
export { objectErrors } from './errors/objects.ts';
export {
  BLOCK_SIZE,
  type Etag,
  type EtagForm,
  etagForms,
  etagOf,
  etagOfBlocks,
  formatEtag,
  parseEtag,
  SHA1_SIZE,
} from './etag/etag.ts';
export { etagOfParts, type PartEtag } from './etag/parts.ts';
export { createEtagStream, type EtagResult, type EtagStream } from './etag/stream.ts';
export { type EventBody, type EventFacts, eventTypes } from './event-types.ts';
export { parseFields } from './fields.ts';
export type { ContentHashing, Hasher, HashInput, Hashing, SecretKey } from './hashing.ts';
export {
  type ConditionalHeaders,
  type ConditionalResult,
  evaluateIfRange,
  evaluatePreconditions,
  formatEntityTag,
  matchesEntityTag,
  type Validators,
} from './http/conditional.ts';
export { formatHttpDate, parseHttpDate } from './http/date.ts';
export { asAttachment, formatAttachment } from './http/disposition.ts';
export { formatContentRange, parseRange, type RangeResult } from './http/range.ts';
export {
  MAX_RESPONSE_HEADER_BYTES,
  MAX_RESPONSE_HEADERS_BYTES,
  pairsBytes,
  type ResponseHeaderName,
  type ResponseHeaders,
  responseHeaderName,
  responseHeaderNames,
  responseHeaderProblem,
} from './http/response-headers.ts';
export { decodeJson } from './json.ts';
export { type JsonNumber, jsonNumber } from './json-number.ts';
export {
  type AccessContext,
  accessDenial,
  contextDenial,
  type KeyAction,
  type KeyLimits,
  keyActions,
  permissionsToOverwrite,
  permissionsToUpload,
  type RequiredPermission,
  showsBucket,
} from './key-limits/key-limits.ts';
export { MAX_LIMIT_VALUES, parseKeyLimits } from './key-limits/parse.ts';
export { GIB, MIB } from './limits/bytes.ts';
export {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_CORS_AGE_SECONDS,
  MAX_KEY_BYTES,
  MAX_META_NAME_BYTES,
  MAX_METADATA_BYTES,
  MAX_MIME_TYPE_BYTES,
  MAX_OBJECT_DAYS,
  MAX_OBJECTS_LISTED,
  MAX_PART_BYTES,
  MAX_PARTS,
  MAX_SCOPE_BYTES,
  MIN_PART_BYTES,
} from './limits/limits.ts';
export { decodeListMarker, encodeListMarker } from './marker.ts';
export {
  EMPTY_METADATA,
  type Metadata,
  type MetadataChange,
  type MetadataName,
  mergeMetadata,
  metadataLimits,
  parseMetadataChange,
  parseMetadataName,
} from './metadata.ts';
export { extensionOf, extensionOfMime, mimeOfExtension } from './mime/extensions.ts';
export { SNIFF_BYTES, sniffMimeType } from './mime/sniff.ts';
export {
  DEFAULT_MIME_TYPE,
  essenceOf,
  hasMimeCharacters,
  isActiveType,
  isValidMimeType,
  validateMimeType,
} from './mime/type.ts';
export { checkBucketName, checkKey, decodeKey, isBucketName } from './names.ts';
export { editDistance } from './nearest.ts';
export {
  type ChangeCause,
  type CreationCause,
  creationCauses,
  OBJECT_EVENT_MEDIA_TYPE,
  type ObjectEventName,
  objectEvents,
  objectEventType,
  selectableEvents,
} from './object-events.ts';
export { decodePercent } from './percent.ts';
export { isPlaylist, PlaylistRewriter, type ReplaceUri, type UriKind } from './playlist/rewrite.ts';
export { type EncodeOptions, encodeUploadPolicy } from './policy/encode.ts';
export {
  type PolicyField,
  type PolicyFieldName,
  type PolicyFields,
  type PolicyFieldType,
  policyFields,
} from './policy/fields.ts';
export {
  decideMimeType,
  detectedMimeType,
  limitedMimeType,
  type MimeCandidates,
  type MimeLimit,
  parseMimeLimit,
  storedMimeType,
} from './policy/mime.ts';
export { chooseName, finishName, type UploadName } from './policy/naming.ts';
export {
  DEFAULT_CALLBACK_BODY_TYPE,
  type PolicyCallback,
  parseUploadPolicy,
  readCallback,
  type UploadPolicy,
} from './policy/parse.ts';
export { MAX_POLICY_BYTES } from './policy/read.ts';
export {
  evaluateScope,
  formatScope,
  parseScope,
  type Scope,
  type ScopeDecision,
  type ScopeRules,
} from './policy/scope.ts';
export { type UnknownField, unknownFieldWords, unknownPolicyFields } from './policy/unknown.ts';
export { formatReturnLocation, splitCallbackUrls, splitUrls } from './policy/url.ts';
export * from './processing/index.ts';
export { dateOfPutTime, parseDecimal, putTimeOfDate } from './put-time.ts';
export { type BulkKind, bulkKinds, bulkStates } from './records/bulk.ts';
export { records, type WirePage, type WireRecord } from './records/index.ts';
export { parseFreezeAfterDays, restoreTimes } from './restore-times.ts';
export {
  CONSOLE_ACCOUNT_HEADER,
  CONSOLE_HEADER,
  CONSOLE_SESSION_HEADER,
  type SessionOptions,
  type SessionState,
  type SignInFailure,
  signInFailures,
} from './session-state.ts';
export { signCallback, verifyCallback } from './signing/callback.ts';
export { type Credential, parseCredential, parseUploadAuthorization } from './signing/credential.ts';
export { formatRequestDate, isRequestDateFresh, parseRequestDate } from './signing/date.ts';
export {
  type DownloadToken,
  type SignedTarget,
  signDownloadUrl,
  splitDownloadToken,
  verifyDownloadToken,
} from './signing/download.ts';
export { type DownloadParts, unsignedDownloadUrl } from './signing/download-url.ts';
export { canonicalHeaderName, firstHeader, type HeaderList } from './signing/headers.ts';
export {
  type AccessKeyPair,
  parseSignature,
  type Signature,
  signText,
  verifyText,
} from './signing/hmac.ts';
export {
  FORM_TYPE,
  isLegacyBodySigned,
  type LegacyRequest,
  legacyStringToSign,
  signLegacyManagement,
  verifyLegacyManagement,
} from './signing/legacy-management.ts';
export {
  isBodySigned,
  type ManagementRequest,
  managementCandidates,
  managementStringToSign,
  signManagement,
  verifyManagement,
} from './signing/management.ts';
export {
  makeUploadToken,
  splitUploadToken,
  type UploadToken,
  verifyUploadToken,
} from './signing/upload-token.ts';
export { signWebhook, verifyWebhook, type WebhookHeaders, type WebhookMessage } from './signing/webhook.ts';
export {
  FIRST_ARCHIVE_CLASS,
  isArchiveClass,
  isStorageClass,
  parseStorageClass,
  STORAGE_CLASS_TEXT,
  type StorageClass,
  storageClasses,
  tierOfClass,
  unrestoredFault,
} from './storage-classes.ts';
export { makeTaskId, parseTaskId, TASK_ID_RANDOM_BYTES, type TaskId } from './task-id.ts';
export {
  MAX_TEMPLATE_BYTES,
  MAX_TEMPLATE_VARIABLES,
  parseTemplate,
  type Template,
  type TemplateEncoding,
  type TemplatePart,
  type TemplateVariablePart,
  variablesOf,
} from './template/parse.ts';
export {
  encodeFormText,
  MAX_RENDERED_BYTES,
  renderTemplate,
  type TemplateValue,
  type TemplateValues,
} from './template/render.ts';
export { nameValues, timeValues, type UploadNames } from './template/values.ts';
export { type TemplateContext, templateContexts, templateVariables } from './template/variables.ts';
export { decodeUtf8, encodeUtf8, utf8Length } from './utf8.ts';
