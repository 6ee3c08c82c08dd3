/** A resolver for tests: names and their answers, the first answers first and the last one for good. */
import type { Resolver } from '../resolver.ts';

export interface DnsStub {
  readonly resolve: Resolver;
  /** Names as they were asked for. */
  readonly asked: string[];
}

/** A list of lists answers query by query, for names that change their mind. */
export function createDnsStub(
  names: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>,
): DnsStub {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname) => {
      const turn = asked.filter((name) => name === hostname).length;
      asked.push(hostname);
      const answers = names[hostname];
      if (answers === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      const answer = answers[Math.min(turn, answers.length - 1)];
      return typeof answer === 'string' ? answers.filter((one) => typeof one === 'string') : (answer ?? []);
    },
  };
}
