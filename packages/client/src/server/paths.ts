/** Raw paths of calls: every name in them is one segment, whatever characters it has. */
export function pathOf(texts: TemplateStringsArray, ...names: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...names.map(encodeURIComponent));
}
