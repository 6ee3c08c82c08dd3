/** Resolves names to addresses: all of them, in the resolver's order. Rejects if there are none. */
import { lookup } from 'node:dns/promises';

export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** As the machine does it, with /etc/hosts and search domains. */
export const systemResolver: Resolver = async (hostname) => {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};
