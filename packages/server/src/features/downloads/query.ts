/** One value of a raw query string, percent-decoded; undefined when it is not there or not UTF-8. */
import { Fault } from '@millpond/protocol';

export function queryValue(query: string | undefined, name: string): string | undefined {
  for (const pair of query?.split('&') ?? []) {
    if (!pair.startsWith(`${name}=`)) continue;
    try {
      return decodeURIComponent(pair.slice(name.length + 1).replaceAll('+', ' '));
    } catch (cause) {
      throw new Fault('invalidArgument', { hint: `${name} is not percent-encoded UTF-8`, cause });
    }
  }
  return undefined;
}
