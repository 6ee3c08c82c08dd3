/** Pieces of the grammar of HTTP fields (RFC 9110), as regular expression sources. None of them backtracks. */
export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';

/** One or more elements with commas between them. Senders write no empty elements, though receivers must tolerate them. */
export function listOf(element: string): RegExp {
  return new RegExp(`^${element}(?: *, *${element})*$`);
}
