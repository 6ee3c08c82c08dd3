/** ACLs as of a bucket whose owner owns everything in it: the owner has full control, nobody else has any. */
import type { S3ErrorCode } from '../errors.ts';
import { S3Fault } from '../fault.ts';
import { childOf, childrenOf, childText, malformed, parseXml } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import { writeXml } from '../xml/write.ts';

export interface Owner {
  readonly id: string;
  readonly name: string;
}

const CANNED = new Set([
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'aws-exec-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
  'log-delivery-write',
]);

export function writeAcl({ id, name }: Owner): string {
  const who = { ID: id, DisplayName: name };
  return writeXml('AccessControlPolicy', {
    Owner: who,
    AccessControlList: {
      Grant: {
        Grantee: {
          '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
          '@xsi:type': 'CanonicalUser',
          ...who,
        },
        Permission: 'FULL_CONTROL',
      },
    },
  });
}

/** Accepts what `writeAcl` wrote, as s3cmd sends after every copy, and refuses every other grant. */
export function checkAcl(body: Uint8Array, owner: Owner): void {
  const root = parseXml(body, 'AccessControlPolicy');
  const list = childOf(root, 'AccessControlList');
  if (list === undefined) throw malformed('AccessControlPolicy has no AccessControlList');
  const grants = childrenOf(list, 'Grant');
  const stated = childOf(root, 'Owner');
  const isOwners = stated === undefined || childText(stated, 'ID') === owner.id;
  if (!isOwners || grants.length === 0 || !grants.every((grant) => isFullControl(grant, owner)))
    throw unsupported();
}

function isFullControl(grant: XmlElement, { id }: Owner): boolean {
  const grantee = childOf(grant, 'Grantee');
  return (
    grantee !== undefined &&
    childText(grantee, 'ID') === id &&
    childOf(grantee, 'URI') === undefined &&
    childOf(grantee, 'EmailAddress') === undefined &&
    childText(grant, 'Permission')?.trim() === 'FULL_CONTROL'
  );
}

/** `x-amz-acl`: of the canned ACLs only those that give nobody but the owner anything. */
export function checkCannedAcl(
  value: string,
  of: 'bucket' | 'object',
  refusal: S3ErrorCode = 'AccessControlListNotSupported',
): void {
  if (!CANNED.has(value))
    throw new S3Fault('InvalidArgument', {
      details: { ArgumentName: 'x-amz-acl', ArgumentValue: value.slice(0, 256) },
    });
  if (value !== 'private' && !(of === 'object' && value === 'bucket-owner-full-control'))
    throw unsupported(refusal);
}

function unsupported(code: S3ErrorCode = 'AccessControlListNotSupported'): S3Fault {
  return new S3Fault(code, {
    hint: 'to let anybody read, make the bucket public by its policy',
  });
}
