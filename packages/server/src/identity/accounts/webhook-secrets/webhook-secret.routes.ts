/** Account calls about the secrets that receivers use to verify what we send, at the `api` host. */
import type { WireRecord } from '@millpond/protocol';
import { jsonAnswer, type Route } from '../../../platform/web/index.ts';
import { type AccountCalls, accountRoute, actorOf } from '../account-call.ts';
import { formOf } from '../accounts.parameters.ts';
import type { Accounts } from '../accounts.service.ts';
import type { WebhookSecret } from './webhook-secrets.ts';

const DAY_SECONDS = 86_400;
const LONGEST_SECONDS = 365 * DAY_SECONDS;

export function webhookSecretRoutes(accounts: Accounts, calls: AccountCalls): Route[] {
  return [
    accountRoute('GET', '/v1/user/webhook_secrets', async (call) => {
      const key = await calls.rootKey(call);
      return jsonAnswer((await accounts.webhookSecrets(key.uid, actorOf(key, call))).map(secretRecord));
    }),
    accountRoute('POST', '/v1/user/exchange_webhook_secret', async (call) => {
      const key = await calls.rootKey(call);
      const bounds = { least: 0, most: LONGEST_SECONDS, fallback: DAY_SECONDS };
      const keepOldMs = formOf(call).integer('keep_old', bounds) * 1000;
      const secrets = await accounts.exchangeWebhookSecret(key.uid, keepOldMs, actorOf(key, call));
      return jsonAnswer(secrets.map(secretRecord));
    }),
  ];
}

function secretRecord({ id, secret, created, retires }: WebhookSecret): WireRecord<'WebhookSecret'> {
  return { id: Number(id), secret, created: created.toISOString(), retires: retires?.toISOString() };
}
