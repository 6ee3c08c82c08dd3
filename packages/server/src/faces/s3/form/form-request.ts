/** A form as the request that it stands for: its fields are the headers of a PutObject. */
import { encodeByteString, type PostFields, parseXml, S3Fault, tagsInXml } from '@millpond/protocol/s3';
import type { RequestContext } from '../../../platform/web/index.ts';
import type { RequestSigner, S3Address, S3Request } from '../s3.request.ts';

const SYSTEM = new Set([
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
  'content-md5',
]);
const SIGNING = /^x-amz-(?:algorithm|credential|date|signature|security-token)$/;

export function formRequest(
  context: RequestContext,
  place: S3Address,
  fields: PostFields,
  identity: RequestSigner,
): S3Request {
  const headers = headersOf(fields);
  return {
    context,
    method: 'POST',
    place,
    query: new Map(),
    identity,
    isPresigned: true,
    payload: { kind: 'unsigned' },
    chunkSigning: undefined,
    header: (name) => headers.get(name),
    headers: () => headers,
  };
}

/** Byte strings, as headers are. A form can spell what no header can: line breaks would end one. */
function headersOf(fields: PostFields): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [field, text] of fields) {
    const name = field === 'acl' ? 'x-amz-acl' : field;
    if (!SYSTEM.has(name) && (!name.startsWith('x-amz-') || SIGNING.test(name))) continue;
    const value = encodeByteString(text.trim());
    for (const character of value) {
      const code = character.charCodeAt(0);
      if ((code < 0x20 && code !== 9) || code === 0x7f)
        throw new S3Fault('InvalidArgument', {
          hint: 'the field contains a control character',
          details: { ArgumentName: name.slice(0, 64) },
        });
    }
    headers.set(name, value);
  }
  return headers;
}

/** In forms they are XML. */
export function tagsOfForm(fields: PostFields): Readonly<Record<string, string>> | undefined {
  const text = fields.get('tagging');
  if (text === undefined || text.trim() === '') return undefined;
  const tags = tagsInXml(parseXml(Buffer.from(text), 'Tagging'));
  return Object.keys(tags).length === 0 ? undefined : tags;
}
