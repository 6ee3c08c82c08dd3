/** TXT records of names that users give. Bounded in time; a name that cannot be looked up has no records. */
import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 3_000;
const TRIES = 2;

export type LookUpTexts = (name: string) => Promise<readonly string[]>;

/** `servers` are addresses, with or without a port; if empty, those of the system. */
export function textLookup(servers: readonly string[]): LookUpTexts {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((chunks) => chunks.join(''));
    } catch {
      return [];
    }
  };
}
