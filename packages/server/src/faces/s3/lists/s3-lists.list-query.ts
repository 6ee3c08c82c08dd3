/** Parameters that all of S3's lists share. */

import { S3Fault } from '@millpond/protocol/s3';
import { MAX_OBJECTS_LISTED } from '../../../storage/limits.ts';
import type { S3Request } from '../s3.request.ts';

/** More than a page holds is cut to a page. */
export function countIn({ query }: Pick<S3Request, 'query'>, name: string): number {
  const text = query.get(name);
  if (text === undefined || text === '') return MAX_OBJECTS_LISTED;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647)
    throw new S3Fault('InvalidArgument', {
      hint: `${name} must be a whole number from 0`,
      details: { ArgumentName: name, ArgumentValue: text },
    });
  return Math.min(MAX_OBJECTS_LISTED, Number(text));
}

/** How names are written: as they are, or percent-encoded. */
export function isUrlEncoded({ query }: Pick<S3Request, 'query'>): boolean {
  const type = query.get('encoding-type');
  if (type === undefined) return false;
  if (type !== 'url')
    throw new S3Fault('InvalidArgument', {
      message: 'Invalid Encoding Method specified in Request',
      details: { ArgumentName: 'encoding-type', ArgumentValue: type },
    });
  return true;
}
