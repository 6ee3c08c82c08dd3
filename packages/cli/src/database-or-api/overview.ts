/** The overview and the failures: for an operator from the database, of all accounts or one; for a user from the API. */
import type { Client, FailureRecord, OverviewRecord } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import { firstOf, type Sources } from './source.ts';

export interface OverviewSource {
  overview(account: string | undefined): Promise<OverviewRecord>;
  failures(account: string | undefined, limit: number): Promise<FailureRecord[]>;
}

const PAGE = 200;

export const overviewSources: Sources<OverviewSource> = { operator: ofAnyAccount, user: ofOwnAccount };

function ofAnyAccount({ accounts, overview: { overview, failures } }: OperatorTools): OverviewSource {
  const uidOf = async (email: string | undefined) =>
    email === undefined ? undefined : (await accounts.byEmail(email)).uid;
  return {
    overview: async (account) => overview.read(await uidOf(account)),
    async failures(account, limit) {
      const uid = await uidOf(account);
      const found: FailureRecord[] = [];
      for (let marker: string | undefined; ; ) {
        const page = await failures.page(uid, marker, PAGE);
        found.push(...page.items);
        if (page.marker === undefined || found.length >= limit) return found.slice(0, limit);
        marker = page.marker;
      }
    },
  };
}

function ofOwnAccount(client: Client, signal: AbortSignal): OverviewSource {
  return {
    overview: () => client.overview({ signal }),
    failures: (_account, limit) => firstOf(client.failures({ signal, limit: Math.min(limit, PAGE) }), limit),
  };
}
