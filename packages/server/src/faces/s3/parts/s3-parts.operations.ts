/** Uploads in parts: everything that S3 does with them. */
import type { S3Operation } from '../s3.operation.ts';
import { type CompleteDeps, completeOperation } from './complete.ts';
import { type CopyPartDeps, copyPartOperation } from './copy-part.ts';
import { beginOperation } from './create-multipart-upload.ts';
import { type ListPartsDeps, listPartsOperations } from './list-parts.ts';
import { listUploadsOperation } from './list-uploads.ts';
import { uploadPartOperations } from './upload-part.ts';

export function partOperations(deps: CompleteDeps & CopyPartDeps & ListPartsDeps): S3Operation[] {
  return [
    beginOperation(deps),
    ...uploadPartOperations(deps),
    copyPartOperation(deps),
    ...listPartsOperations(deps),
    completeOperation(deps),
    listUploadsOperation(deps),
  ];
}
