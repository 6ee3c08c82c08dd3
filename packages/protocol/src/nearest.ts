/** Which name was probably meant by a mistyped one. */

/** Levenshtein distance: letters to add, drop or change to get from one text to the other. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

const MAX_TYPOS = 3;
const MAX_CHARACTERS = 64;
const MIN_COMMON_PART = 4;

/** The one that is a few letters away, fewer for shorter names; else the only one that contains it. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_CHARACTERS) return undefined;
  const typed = name.toLowerCase();
  const most = Math.min(MAX_TYPOS, Math.floor(typed.length / 3));
  const rated = [...known]
    .map((each) => ({ each, typos: editDistance(typed, each.toLowerCase()) }))
    .toSorted((one, other) => one.typos - other.typos);
  const [best] = rated;
  if (best !== undefined && best.typos <= most) return best.each;
  const wider = rated.filter(
    ({ each }) => typed.length >= MIN_COMMON_PART && each.toLowerCase().includes(typed),
  );
  return wider.length === 1 ? wider[0]?.each : undefined;
}
