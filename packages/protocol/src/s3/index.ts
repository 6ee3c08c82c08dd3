/**
 * The S3 protocol's pure parts, for the listener: signatures, chunked bodies, checksums, XML, errors. An entry point of
 * its own, because clients of Millpond's interface need none of it.
 */
export {
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumAlgorithms,
  checksumElement,
  checksumHeader,
  checksumTypeOf,
  createChecksum,
  encodeChecksum,
  parseChecksumAlgorithm,
} from './checksums/algorithms.ts';
export { checksumOfParts, isChecksumOfObject } from './checksums/parts.ts';
export {
  announcedTrailers,
  checkPartAlgorithm,
  type GivenChecksum,
  type HeaderMap,
  readChecksumValue,
  readContentMd5,
  readGivenChecksum,
  verifyChecksum,
  verifyContentMd5,
  wrongChecksum,
} from './checksums/request.ts';
export { ChunkDecoder, type ChunkOptions } from './chunks/decoder.ts';
export { checkAcl, checkCannedAcl, type Owner, writeAcl } from './config/acl.ts';
export { type NamedCorsRule, readCors, writeCors } from './config/cors.ts';
export { type NewBucket, readCreateBucket } from './config/create-bucket.ts';
export {
  type LifecycleTransition,
  MINIMUM_SIZE_HEADER,
  type S3Lifecycle,
  type S3LifecycleRule,
} from './config/lifecycle.ts';
export { dueLifecycleAction, type Expiry, type LifecycleObject, s3Expiry } from './config/lifecycle-due.ts';
export { readLifecycle } from './config/lifecycle-read.ts';
export { writeLifecycle } from './config/lifecycle-write.ts';
export { isNotification, readNotification, writeNotification } from './config/notification.ts';
export { publicReadPolicy, readPublicPolicy } from './config/policy.ts';
export {
  type PublicAccessBlock,
  readPublicAccessBlock,
  writePublicAccessBlock,
} from './config/public-access.ts';
export {
  checkAcceleration,
  checkLogging,
  checkOwnership,
  checkOwnershipControls,
  checkRequestPayment,
  checkVersioning,
  writeAcceleration,
  writeLogging,
  writeNoConfigurations,
  writeOwnershipControls,
  writePolicyStatus,
  writeRequestPayment,
  writeVersioning,
} from './config/unsupported.ts';
export {
  decodeHex,
  decodePlainBase64,
  encodeHex,
  encodeListText,
  encodePlainBase64,
  encodeUnreserved,
} from './encodings.ts';
export { type S3ErrorCode, s3Errors } from './errors.ts';
export { type ErrorLocation, errorXml, S3Fault, type S3FaultOptions } from './fault.ts';
export type { S3Hashing } from './hashing.ts';
export { evaluateReadConditions, failedCopyCondition, rangeOf } from './objects/conditions.ts';
export { copySourceIn } from './objects/copy-source.ts';
export { multipartEtagMd5, parseEtagList } from './objects/etag.ts';
export {
  decodeContinuationToken,
  encodeContinuationToken,
  formatXmlTime,
  parseXmlTime,
} from './objects/list-names.ts';
export {
  decodeByteString,
  encodeByteString,
  metadataHeaders,
  metadataIn,
  storedContentEncoding,
} from './objects/metadata.ts';
export { parseTaggingHeader, taggingXml, tagsInXml } from './objects/tags.ts';
export { type PostCredentials, readPostCredentials, verifyPostCredentials } from './post/credentials.ts';
export {
  checkPostPolicy,
  checkPostSize,
  type PostFields,
  type PostPolicy,
  parsePostPolicy,
} from './post/policy.ts';
export {
  type PostedObject,
  type PostResponse,
  postKey,
  postLocation,
  postResponse,
} from './post/response.ts';
export {
  type Anonymous,
  type Credentials,
  type KeyCredentials,
  readCredentials,
} from './sigv4/credentials.ts';
export type { RequestHead, S3Request } from './sigv4/head.ts';
export type { Payload } from './sigv4/payload.ts';
export type { HoistedHeaders } from './sigv4/presigned.ts';
export { unknownAccessKey } from './sigv4/scope.ts';
export { createSigningKeys } from './sigv4/signing-keys.ts';
export { type ChunkSigning, type VerifyOptions, verifyCredentials } from './sigv4/verify.ts';
export { storageClassName, storageClassOf } from './storage-class.ts';
export {
  childFlag,
  childNumber,
  childOf,
  childrenOf,
  childText,
  MAX_XML_BYTES,
  malformed,
  parseXml,
  requiredText,
} from './xml/body.ts';
export { readXml, type XmlElement, XmlParseError } from './xml/read.ts';
export { escapeXml, writeXml, type XmlChildren, type XmlContent } from './xml/write.ts';
