/** What a form upload is answered with, as its own fields ask. */
import { encodeUnreserved } from '../encodings.ts';
import { writeXml } from '../xml/write.ts';
import type { PostFields } from './policy.ts';

export interface PostedObject {
  readonly bucket: string;
  readonly key: string;
  /** Without quotes. */
  readonly etag: string;
  /** The object's URL. */
  readonly location: string;
}

export interface PostResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** 204 unless another is asked for; a redirect goes before both. */
export function postResponse(
  fields: PostFields,
  { bucket, key, etag, location }: PostedObject,
): PostResponse {
  const headers = { etag: `"${etag}"`, location };
  const redirect = redirectOf(fields);
  if (redirect !== undefined) {
    for (const [name, value] of Object.entries({ bucket, key, etag: `"${etag}"` }))
      redirect.searchParams.set(name, value);
    // `URLSearchParams` writes a space as `+`, which not every page decodes.
    const query = redirect.search.replaceAll('+', '%20');
    const target = `${redirect.origin}${redirect.pathname}${query}${redirect.hash}`;
    return { status: 303, headers: { ...headers, location: target }, body: undefined };
  }
  const status = fields.get('success_action_status');
  if (status === '200') return { status: 200, headers, body: undefined };
  if (status !== '201') return { status: 204, headers, body: undefined };
  const body = writeXml(
    'PostResponse',
    { Location: location, Bucket: bucket, Key: key, ETag: `"${etag}"` },
    { namespace: false },
  );
  return { status: 201, headers: { ...headers, 'content-type': 'application/xml' }, body };
}

/** What is no web address is ignored, as on AWS. */
function redirectOf(fields: PostFields): URL | undefined {
  const text = fields.get('success_action_redirect') ?? fields.get('redirect');
  const url = text === undefined || text === '' ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The key with the name of the file for `${filename}`; of a path, as old browsers send it, only the last part. */
export function postKey(key: string, fileName: string): string {
  return key.replace(/\$\{filename\}/g, () => fileName.split(/[/\\]/).at(-1) ?? '');
}

/** The object's URL on the listener's own host, path style. */
export function postLocation(origin: string, bucket: string, key: string): string {
  return `${origin}/${bucket}/${encodeUnreserved(key).replaceAll('%2F', '/')}`;
}
