/** Usage as `millpond usage` shows it: of any account for an operator, of their own for a user. */
import type { Client } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import { UsageFault } from '../exit.ts';
import type { Ways } from './reach.ts';

interface Used {
  readonly bytes: number;
  readonly objects: number;
  readonly requests: { readonly calls: number; readonly downloads: number };
}

interface AccountUsed extends Used {
  readonly buckets: readonly (Used & { readonly bucket?: string })[];
}

/** `YYYY-MM-DD`. */
interface Days {
  readonly from?: string;
  readonly to?: string;
}

export interface UsageSource {
  usage(account: string | undefined, days: Days): Promise<AccountUsed>;
}

export const usageWays: Ways<UsageSource> = { operator: anyUsage, user: ownUsage };

function anyUsage({ accounts, usageOf }: OperatorTools): UsageSource {
  return {
    async usage(account, { from, to }) {
      if (account === undefined)
        throw new UsageFault('give the e-mail of an account, or --at for that of an access key');
      return usageOf((await accounts.byEmail(account)).uid, from, to);
    },
  };
}

function ownUsage({ accounts }: Client, signal: AbortSignal): UsageSource {
  return {
    async usage(_account, { from, to }) {
      const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const found = await accounts.usage({ signal, ...days });
      return { ...found, buckets: found.buckets ?? [] };
    },
  };
}
