/** Adds to errors what the user at a command line can do about them, where the server can't know: which key it was, and whose. */
import type { MillpondError } from '@millpond/client';
import { addressOf, type InstallationInUse, installationInUse } from './remote/contacted.ts';

const SHOWN_OF_KEY = 8;

const REMEDIES: Readonly<Record<string, string>> = {
  httpsRequired: 'give an https://… address in MILLPOND_ENDPOINT or the alias, or add one with api=https://…',
  requestTimeTooSkewed: 'set the clock of this machine',
};

export function messageWithHint(error: MillpondError): string {
  const { message, code, hint } = error;
  if (code === 'network') return unreached(error) ?? message;
  const remedy = refusal(error) ?? hint ?? ownBuckets(code) ?? REMEDIES[code];
  return remedy === undefined ? message : `${message}: ${remedy}`;
}

/** Says more than a hint that merely names the key, but less than any other hint, such as one about the clock. */
function refusal({ code, hint }: MillpondError): string | undefined {
  if (code !== 'badToken' && code !== 'failedAuthentication') return undefined;
  const used = installationInUse();
  if (hint !== undefined && (used === undefined || !hint.includes(used.accessKey))) return undefined;
  if (used === undefined) return 'an access key is unknown or disabled, or its secret is wrong';
  const key = `${used.accessKey.slice(0, SHOWN_OF_KEY)}…`;
  const check =
    used.alias === undefined
      ? 'MILLPOND_ACCESS_KEY, MILLPOND_SECRET_KEY and MILLPOND_ENDPOINT'
      : `the alias ${used.alias}`;
  return `the access key ${key} is unknown or disabled at ${addressOf(used)}, or its secret is wrong: check ${check}`;
}

function ownBuckets(code: string): string | undefined {
  if (code !== 'noSuchBucket') return undefined;
  const alias = installationInUse()?.alias;
  return `\`millpond ls${alias === undefined ? '' : ` ${alias}:`}\` shows yours`;
}

/** For a server that can't be reached, where retrying won't help until somebody fixes something. */
function unreached({ cause }: MillpondError): string | undefined {
  const used = installationInUse();
  if (used === undefined || !(cause instanceof Error) || !('code' in cause)) return undefined;
  if (cause.code === 'ECONNREFUSED') {
    const address = addressOf(used, 'port' in cause ? Number(cause.port) : undefined);
    if (used.isDefaultEndpoint)
      return `nothing listens on ${address} (the default, because MILLPOND_ENDPOINT is not set): start \`millpond dev\`, or name your server`;
    return `nothing listens on ${address}: start it, or name another server in ${placeOf(used)}`;
  }
  if (cause.code === 'ENOTFOUND' && 'hostname' in cause)
    return `the host ${String(cause.hostname)} was not found: check ${placeOf(used)}`;
  return undefined;
}

function placeOf({ alias }: InstallationInUse): string {
  return alias === undefined ? 'MILLPOND_ENDPOINT' : `the alias ${alias}`;
}
