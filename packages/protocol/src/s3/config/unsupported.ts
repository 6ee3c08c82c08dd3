/**
 * Settings that buckets here have in one form only: reading answers that form, and writing it again is accepted, as tools do
 * to be sure. Any other form is refused, because it would promise something.
 */
import { S3Fault } from '../fault.ts';
import { childOf, childText, malformed, parseXml } from '../xml/body.ts';
import { writeXml } from '../xml/write.ts';
import { neededChild, notImplemented } from './elements.ts';

const BUCKET_OWNER_ENFORCED = 'BucketOwnerEnforced';

export function writeVersioning(): string {
  return writeXml('VersioningConfiguration', {});
}

/** Suspended is what a bucket without versions is. */
export function checkVersioning(body: Uint8Array): void {
  const root = parseXml(body, 'VersioningConfiguration');
  const status = childText(root, 'Status')?.trim();
  if (status === 'Enabled' || childText(root, 'MfaDelete')?.trim() === 'Enabled')
    throw notImplemented(
      'objects have no versions here: deleted and replaced ones stay in the trash for a time',
    );
  if (status !== 'Suspended') throw malformed('Status must be Enabled or Suspended');
}

export function writeOwnershipControls(): string {
  return writeXml('OwnershipControls', { Rule: { ObjectOwnership: BUCKET_OWNER_ENFORCED } });
}

export function checkOwnershipControls(body: Uint8Array): void {
  const rule = neededChild(parseXml(body, 'OwnershipControls'), 'Rule');
  checkOwnership(neededChild(rule, 'ObjectOwnership').text.trim());
}

/** Also the header `x-amz-object-ownership`. */
export function checkOwnership(value: string): void {
  if (value === BUCKET_OWNER_ENFORCED) return;
  if (value === 'ObjectWriter' || value === 'BucketOwnerPreferred')
    throw notImplemented(`object ownership is ${BUCKET_OWNER_ENFORCED} here, because there are no ACLs`);
  throw new S3Fault('InvalidArgument', { message: `Invalid x-amz-object-ownership: ${value.slice(0, 64)}` });
}

export function writeLogging(): string {
  return writeXml('BucketLoggingStatus', {});
}

export function checkLogging(body: Uint8Array): void {
  if (childOf(parseXml(body, 'BucketLoggingStatus'), 'LoggingEnabled') !== undefined)
    throw notImplemented('logging of requests into a bucket is not supported');
}

export function writeRequestPayment(): string {
  return writeXml('RequestPaymentConfiguration', { Payer: 'BucketOwner' });
}

export function checkRequestPayment(body: Uint8Array): void {
  const payer = neededChild(parseXml(body, 'RequestPaymentConfiguration'), 'Payer').text.trim();
  if (payer === 'Requester') throw notImplemented('requests are not charged to those who make them');
  if (payer !== 'BucketOwner') throw malformed('Payer must be BucketOwner or Requester');
}

export function writeAcceleration(): string {
  return writeXml('AccelerateConfiguration', {});
}

export function checkAcceleration(body: Uint8Array): void {
  const status = neededChild(parseXml(body, 'AccelerateConfiguration'), 'Status').text.trim();
  if (status === 'Enabled') throw notImplemented('transfer acceleration is not supported');
  if (status !== 'Suspended') throw malformed('Status must be Enabled or Suspended');
}

export function writePolicyStatus(isPublic: boolean): string {
  return writeXml('PolicyStatus', { IsPublic: isPublic });
}

/** Lists of configurations that a bucket can have many of elsewhere. */
export function writeNoConfigurations(root: string): string {
  return writeXml(root, { IsTruncated: false });
}
