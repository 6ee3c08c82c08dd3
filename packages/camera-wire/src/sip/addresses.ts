/** The content of From, To, Via and Contact: the user of an address, and parameters. */

const USER = /^[^\s@<>;"]{1,128}$/;

/** The user of `"name" <sip:user@host>;tag=…` or `sip:user@host;tag=…`; undefined if there is none. */
export function userOf(value: string): string | undefined {
  const uri = addressOf(value);
  const scheme = /^sips?:/i.exec(uri)?.[0];
  const at = uri.indexOf('@');
  if (scheme === undefined || at < 0) return undefined;
  const user = uri.slice(scheme.length, at);
  return USER.test(user) ? user : undefined;
}

/** A parameter after the address: its value, the empty text if it has none, undefined if it is absent. */
export function parameterOf(value: string, name: string): string | undefined {
  const [, ...parameters] = afterAddress(value).split(';');
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    const key = equals < 0 ? parameter : parameter.slice(0, equals);
    if (key.trim().toLowerCase() === name) return equals < 0 ? '' : parameter.slice(equals + 1).trim();
  }
  return undefined;
}

function addressOf(value: string): string {
  const open = openingBracket(value);
  if (open < 0) return value.trim();
  const close = value.indexOf('>', open);
  return close < 0 ? '' : value.slice(open + 1, close).trim();
}

function afterAddress(value: string): string {
  const open = openingBracket(value);
  if (open < 0) return value;
  const close = value.indexOf('>', open);
  return close < 0 ? '' : value.slice(close + 1);
}

/** The first `<` that is not part of a quoted display name. */
function openingBracket(value: string): number {
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    const character = value[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '<' && !isQuoted) return at;
  }
  return -1;
}
