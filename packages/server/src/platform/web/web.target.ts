/**
 * The request target, split but not decoded: signatures cover its raw bytes, and an empty segment (`//`) has a meaning in this
 * interface.
 */
export interface Target {
  readonly raw: string;
  readonly path: string;
  /** Without the question mark; undefined if there is none. */
  readonly query: string | undefined;
}

export function parseTarget(raw: string): Target {
  const mark = raw.indexOf('?');
  if (mark < 0) return { raw, path: raw, query: undefined };
  return { raw, path: raw.slice(0, mark), query: raw.slice(mark + 1) };
}

/** The segments after the first: `/stat/abc` gives `['abc']`, `/chgm/e/mime//cond/c` keeps its empty one. */
export function segmentsOf(target: Target): string[] {
  return target.path.split('/').slice(2);
}
