/**
 * E-mail addresses of accounts, by the rule that browsers use, plus letters of every script. Quoting, comments and
 * angle brackets concern mail only: an account is named by the bare address.
 */
const NAME = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const MAX_HOST_LENGTH = 190;

/** Both as it is written and as it is folded: some single letters fold to several words. */
export function isEmailAddress(text: string): boolean {
  return hasItsForm(text) && hasItsForm(foldEmail(text));
}

/**
 * What two addresses are compared by, and the only thing they may be compared by: NFKC, then lower case. Folded here rather than by the
 * database, where `lower` depends on how the database was created. It is repeated because the lower case of a few letters is not
 * normalized: what is folded stays as it is when it is folded again.
 */
export function foldEmail(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function hasItsForm(text: string): boolean {
  const at = text.indexOf('@');
  const host = text.slice(at + 1);
  return (
    at > 0 &&
    NAME.test(text.slice(0, at)) &&
    host.length <= MAX_HOST_LENGTH &&
    host.split('.').every((label) => LABEL.test(label))
  );
}
