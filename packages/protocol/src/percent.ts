/** Percent-encoding: escapes are bytes, which form text only together. */

/** Undefined if the escapes are not UTF-8, or if a `%` is not followed by two hexadecimal digits. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
