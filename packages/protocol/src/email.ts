/**
 * E-mail addresses of accounts, by the rule that browsers use, plus letters of every script. Quoting, comments and
 * angle brackets concern mail only: an account is named by the bare address.
 */
const NAME = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const MOST_OF_HOST = 190;

export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@');
  const host = text.slice(at + 1);
  return (
    at > 0 &&
    NAME.test(text.slice(0, at)) &&
    host.length <= MOST_OF_HOST &&
    host.split('.').every((label) => LABEL.test(label))
  );
}
