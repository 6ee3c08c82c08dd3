/** Download URLs before they are signed: encoded as they will be sent, or the signature would be for another one. */
import { Fault } from '../errors/fault.ts';

export interface DownloadParts {
  /** A command on images or similar. Characters not allowed in a URL are encoded; a literal `%` must be written `%25`. */
  readonly query?: string | undefined;
  /** The name under which a browser saves the object. */
  readonly attname?: string | undefined;
}

/** `place` is what comes before the key: a domain's origin, or that of a host and the bucket. */
export function unsignedDownloadUrl(
  place: string,
  key: string,
  { query = '', attname }: DownloadParts,
): string {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const parts = [
    ...(query === '' ? [] : [encodedQuery(query)]),
    ...(attname === undefined ? [] : [`attname=${encodeURIComponent(attname)}`]),
  ];
  return `${place}/${path}${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** Characters that a URL can't carry would be encoded in transit, making it another URL than the one that was signed. */
function encodedQuery(query: string): string {
  if (/%(?![\da-f]{2})/i.test(query))
    throw invalidUrl('the query contains a % that encodes nothing: write %25');
  if (!query.isWellFormed()) throw invalidUrl('the query is not well-formed text');
  return query.replace(/[^\u0021-\u007e]|["#'<>]/gu, (character) =>
    character === "'" ? '%27' : encodeURIComponent(character),
  );
}

function invalidUrl(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
