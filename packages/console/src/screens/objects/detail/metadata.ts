/** What a form of metadata changes, next to what the object has. */
import type { MetadataChange, ObjectRecord } from '@millpond/client/session';

export type Pair = readonly [name: string, value: string];

export interface MetadataForm {
  readonly mimeType: string;
  readonly pairs: readonly Pair[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Only what differs; an empty value removes. Undefined: nothing does. Names are the server's, in lower case. */
export function changeOf(
  object: Pick<ObjectRecord, 'mimeType' | 'metadata' | 'responseHeaders'>,
  form: MetadataForm,
): MetadataChange | undefined {
  const wanted = new Map(
    form.pairs.filter(([name]) => name !== '').map(([name, value]) => [name.toLowerCase(), value]),
  );
  const metadata: Record<string, string> = {};
  for (const name of Object.keys(object.metadata)) if (!wanted.has(name)) metadata[name] = '';
  for (const [name, value] of wanted) if (value !== (object.metadata[name] ?? '')) metadata[name] = value;
  const headers = Object.entries(form.headers).filter(
    ([name, value]) => value !== (object.responseHeaders[name] ?? ''),
  );
  const change = {
    ...(form.mimeType === object.mimeType ? {} : { mimeType: form.mimeType }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(headers.length === 0 ? {} : { responseHeaders: Object.fromEntries(headers) }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
