/**
 * A test names the statements that it shows at the end of its title, in square brackets:
 * `a second upload of the same content succeeds [policy-scope-02 G15]`.
 */

/** What an id of a statement looks like. */
export const idForm = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{2}|G[1-9]\d?)$/;

// Looser than idForm, so that a misspelt id is reported as unknown instead of being taken for plain text.
const nearlyId = /^(?:[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*[-_.]\d+|[Gg]\d+)$/;
const lastBrackets = /\[([^[\]]*)\]\s*$/;

/** The ids at the end of a title, each once; brackets that hold no id-like word are plain text. */
export function idsInTitle(title: string): string[] {
  const words = wordsInLastBrackets(title);
  return words.some((word) => nearlyId.test(word)) ? [...new Set(words)] : [];
}

export function titleWithoutIds(title: string): string {
  return idsInTitle(title).length === 0 ? title : title.replace(lastBrackets, '').trimEnd();
}

function wordsInLastBrackets(title: string): string[] {
  const content = lastBrackets.exec(title)?.[1] ?? '';
  return content.split(/[\s,]+/).filter((word) => word !== '');
}
