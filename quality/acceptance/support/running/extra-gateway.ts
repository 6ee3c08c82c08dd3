/**
 * One more gateway on the shared deployment's databases and blobs, with other settings; it ends with the test. It does no
 * background work: that is shared, and other tests expect it done by the deployment's own settings.
 */
import { freePort } from '@millpond/testing';
import { expect } from 'vitest';
import { target } from '../target.ts';
import { startCommand } from './command.ts';

/** Far more than a start takes on a machine that has much else to do. */
const READY_MS = 150_000;

export interface ExtraGateway {
  readonly url: string;
  readonly pid: number;
}

export async function startExtraGateway(
  settings: Readonly<Record<string, string>> = {},
): Promise<ExtraGateway> {
  const [url, adminUrl] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const command = startCommand(['serve', '--no-work'], {
    ...target.environment,
    ...settings,
    MILLPOND_LISTEN: url,
    MILLPOND_ADMIN_LISTEN: adminUrl,
  });
  const ended = command.finished.then(({ output }) => {
    throw new Error(`the server ended before it was ready: ${output}`);
  });
  ended.catch(() => undefined);
  const ready = async () => (await fetch(`${adminUrl}/readyz`).catch(() => undefined))?.status;
  await Promise.race([expect.poll(ready, { interval: 50, timeout: READY_MS }).toBe(200), ended]);
  return { url, pid: command.process.pid ?? 0 };
}
