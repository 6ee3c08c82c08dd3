/** `x-amz-copy-source`: `bucket/key`, percent-encoded, in the spellings that clients have. */
import { decodePercent } from '../../percent.ts';
import { S3Fault } from '../fault.ts';

export interface CopySource {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | undefined;
}

/** The version is cut off before decoding: a key may contain `?versionId=`, encoded. */
export function copySourceIn(text: string): CopySource {
  const [, path = '', versionId] = /^(.*?)(?:\?versionId=([^?]*))?$/s.exec(text) ?? [];
  // Wholly encoded by some: the slash between bucket and key, too.
  const decoded = decodePercent(path)?.replace(/^\//, '');
  const slash = decoded?.indexOf('/') ?? -1;
  if (decoded === undefined || slash < 1 || slash === decoded.length - 1 || decoded.includes('\0'))
    throw new S3Fault('InvalidArgument', {
      message: 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
      details: { ArgumentName: 'x-amz-copy-source', ArgumentValue: text.slice(0, 1024) },
    });
  return { bucket: decoded.slice(0, slash), key: decoded.slice(slash + 1), versionId };
}
