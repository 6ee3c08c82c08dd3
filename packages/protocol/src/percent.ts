/** Percent-encoding: escapes are bytes, and only together they are text. */

/** Undefined where the escapes are no UTF-8, and where two hexadecimal digits do not follow a `%`. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
