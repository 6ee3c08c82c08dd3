/** Usage as `millpond usage` shows it: of any account for an operator, of their own for a user. */
import type { Client, UsageRecord } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import { UsageError } from '../exit.ts';
import type { Sources } from './source.ts';

/** `YYYY-MM-DD`. */
interface Days {
  readonly from?: string;
  readonly to?: string;
}

export interface UsageSource {
  usage(account: string | undefined, days: Days): Promise<Omit<UsageRecord, 'from' | 'to'>>;
}

export const usageSources: Sources<UsageSource> = { operator: anyUsage, user: ownUsage };

function anyUsage({ accounts, usageOf }: OperatorTools): UsageSource {
  return {
    async usage(account, { from, to }) {
      if (account === undefined)
        throw new UsageError('give the e-mail of an account, or --at to use an access key');
      return usageOf((await accounts.byEmail(account)).uid, from, to);
    },
  };
}

function ownUsage({ accounts }: Client, signal: AbortSignal): UsageSource {
  return {
    usage: (_account, days) => accounts.usage({ signal, ...days }),
  };
}
