/** Metadata and response headers by their names on the wire: headers are among the metadata, with a `!` before their names. */
import type { Dialect, ResponseHeaders } from '@millpond/protocol';

export interface DescribedBy {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly responseHeaders?: ResponseHeaders | undefined;
}

export function metadataPairs(
  { metaPrefix }: Pick<Dialect, 'metaPrefix'>,
  { metadata = {}, responseHeaders = {} }: DescribedBy,
): [string, string][] {
  return [
    ...Object.entries(metadata).map(([name, value]): [string, string] => [metaPrefix + name, value]),
    ...Object.entries(responseHeaders).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[`${metaPrefix}!${name}`, value]],
    ),
  ];
}
