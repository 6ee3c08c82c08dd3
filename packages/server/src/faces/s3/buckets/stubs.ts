/**
 * What a bucket here is in one form only, and what it can't have: clients ask for all of it, and take exactly these answers
 * for "nothing special". Whatever is not listed is refused as not implemented, which they take for that too.
 */
import {
  checkAcceleration,
  checkLogging,
  checkOwnershipControls,
  checkRequestPayment,
  checkVersioning,
  type S3ErrorCode,
  S3Fault,
  writeAcceleration,
  writeLogging,
  writeNoConfigurations,
  writeOwnershipControls,
  writeRequestPayment,
  writeVersioning,
} from '@millpond/protocol/s3';
import { emptyOk, noContent } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation, ObjectOperation, S3Operation } from '../s3.operation.ts';
import { rawXmlResponse } from './raw-xml.ts';

interface Fixed {
  readonly parameter: string;
  /** AWS's name of it, after Get and Put. */
  readonly name: string;
  readonly write: () => string;
  /** Accepts the form that it has, and refuses others. */
  readonly check: (body: Uint8Array) => void;
}

const CONSTANT: readonly Fixed[] = [
  { parameter: 'versioning', name: 'BucketVersioning', write: writeVersioning, check: checkVersioning },
  {
    parameter: 'ownershipControls',
    name: 'BucketOwnershipControls',
    write: writeOwnershipControls,
    check: checkOwnershipControls,
  },
  { parameter: 'logging', name: 'BucketLogging', write: writeLogging, check: checkLogging },
  {
    parameter: 'requestPayment',
    name: 'BucketRequestPayment',
    write: writeRequestPayment,
    check: checkRequestPayment,
  },
  {
    parameter: 'accelerate',
    name: 'BucketAccelerateConfiguration',
    write: writeAcceleration,
    check: checkAcceleration,
  },
];

const NOT_CONFIGURED: readonly {
  readonly parameter: string;
  readonly name: string;
  readonly code: S3ErrorCode;
}[] = [
  {
    parameter: 'encryption',
    name: 'BucketEncryption',
    code: 'ServerSideEncryptionConfigurationNotFoundError',
  },
  { parameter: 'object-lock', name: 'ObjectLockConfiguration', code: 'ObjectLockConfigurationNotFoundError' },
  { parameter: 'replication', name: 'BucketReplication', code: 'ReplicationConfigurationNotFoundError' },
  { parameter: 'website', name: 'BucketWebsite', code: 'NoSuchWebsiteConfiguration' },
];

/** Configurations of which a bucket has many elsewhere; each has an `id`. */
const EMPTY_LISTS = [
  { parameter: 'metrics', name: 'BucketMetricsConfiguration', root: 'ListMetricsConfigurationsResult' },
  {
    parameter: 'analytics',
    name: 'BucketAnalyticsConfiguration',
    root: 'ListBucketAnalyticsConfigurationResult',
  },
  { parameter: 'inventory', name: 'BucketInventoryConfiguration', root: 'ListInventoryConfigurationsResult' },
  {
    parameter: 'intelligent-tiering',
    name: 'BucketIntelligentTieringConfiguration',
    root: 'ListBucketIntelligentTieringConfigurationsOutput',
  },
] as const;

/** Tools remove these without looking, or to be sure. */
const REMOVABLE = ['ownershipControls', 'encryption', 'replication', 'website'];

export function stubOperations(): S3Operation[] {
  return [
    ...CONSTANT.flatMap(readAndWrite),
    ...NOT_CONFIGURED.map(absent),
    ...EMPTY_LISTS.flatMap(listedAndOne),
    ...REMOVABLE.map(removed),
    ...['retention', 'legal-hold'].flatMap(unlocked),
  ];
}

function readAndWrite({ parameter, name, write, check }: Fixed): BucketOperation[] {
  const selected = { on: 'bucket', parameters: [parameter], action: 'administer' } as const;
  return [
    { ...selected, name: `Get${name}`, method: 'GET', handle: async () => rawXmlResponse(write()) },
    {
      ...selected,
      name: `Put${name}`,
      method: 'PUT',
      async handle(request) {
        check(await bodyOf(request));
        return emptyOk();
      },
    },
  ];
}

function absent({ parameter, name, code }: (typeof NOT_CONFIGURED)[number]): BucketOperation {
  return {
    name: `Get${name}`,
    method: 'GET',
    on: 'bucket',
    parameters: [parameter],
    action: 'administer',
    async handle(_, bucket) {
      throw new S3Fault(code, { details: { BucketName: bucket.name } });
    },
  };
}

function listedAndOne({ parameter, name, root }: (typeof EMPTY_LISTS)[number]): BucketOperation[] {
  const selected = { method: 'GET', on: 'bucket', action: 'administer' } as const;
  return [
    {
      ...selected,
      name: `List${name}s`,
      parameters: [parameter],
      handle: async () => rawXmlResponse(writeNoConfigurations(root)),
    },
    {
      ...selected,
      name: `Get${name}`,
      parameters: [parameter, 'id'],
      async handle() {
        throw new S3Fault('NoSuchConfiguration');
      },
    },
  ];
}

function removed(parameter: string): BucketOperation {
  return {
    name: `Delete ${parameter}`,
    method: 'DELETE',
    on: 'bucket',
    parameters: [parameter],
    action: 'administer',
    handle: async () => noContent(),
  };
}

function unlocked(parameter: string): ObjectOperation[] {
  return (['GET', 'PUT'] as const).map((method) => ({
    name: `${method} ${parameter}`,
    method,
    on: 'object',
    parameters: [parameter],
    action: method === 'GET' ? 'read' : 'write',
    async handle() {
      throw new S3Fault('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
    },
  }));
}
