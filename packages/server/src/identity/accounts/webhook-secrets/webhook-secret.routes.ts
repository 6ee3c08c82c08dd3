/** Account calls about the secrets that receivers use to verify what we send, at the `api` host. */
import type { WireRecord } from '@millpond/protocol';
import { jsonResponse, type Route } from '../../../platform/web/index.ts';
import { type AccountApiAuth, accountRoute, actorOf } from '../account-api-auth.ts';
import { formOf } from '../accounts.parameters.ts';
import type { Accounts } from '../accounts.service.ts';
import type { WebhookSecret } from './webhook-secrets.ts';

const DAY_SECONDS = 86_400;
const MAX_GRACE_SECONDS = 365 * DAY_SECONDS;

export function webhookSecretRoutes(accounts: Accounts, calls: AccountApiAuth): Route[] {
  return [
    accountRoute('GET', '/v1/user/webhook_secrets', async (context) => {
      const key = await calls.rootKey(context);
      return jsonResponse((await accounts.webhookSecrets(key.uid, actorOf(key, context))).map(secretRecord));
    }),
    accountRoute('POST', '/v1/user/exchange_webhook_secret', async (context) => {
      const key = await calls.rootKey(context);
      const bounds = { least: 0, most: MAX_GRACE_SECONDS, fallback: DAY_SECONDS };
      const keepOldMs = formOf(context).integer('keep_old', bounds) * 1000;
      const secrets = await accounts.exchangeWebhookSecret(key.uid, keepOldMs, actorOf(key, context));
      return jsonResponse(secrets.map(secretRecord));
    }),
  ];
}

function secretRecord({ id, secret, created, retires }: WebhookSecret): WireRecord<'WebhookSecret'> {
  return { id: Number(id), secret, created: created.toISOString(), retires: retires?.toISOString() };
}
