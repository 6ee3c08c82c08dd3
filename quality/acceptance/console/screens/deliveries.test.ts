/** Deliveries as the owner of a receiver looks at them: a test event, both sides of it, again, and new secrets. */
import { createBucket } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { sdkClient } from '../../support/running/sdk.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
const receiver = useReceiver();
let page: Page;
afterEach(() => closePage(page));

test.runIf(hasBrowser)(
  'a test event, its request and answer, again; then the secret is exchanged',
  async () => {
    const person = await createParent();
    const bucket = `deliveries-${person.uid}`;
    await createBucket(target.url, person, bucket);
    const place = receiver.at((response) =>
      response.writeHead(200, { 'x-from': 'weir' }).end('{"seen":true}'),
    );
    const client = sdkClient({ credentials: person });
    const again = () =>
      Promise.all(
        [say('Recover failed…'), say('Replay…')].map((name) => page.getByRole('button', { name }).count()),
      );
    page = await signedIn(person, '/deliveries');
    await page.getByText(say('Nothing has been sent yet', {}, 'deliveries')).waitFor();
    // Nothing was sent that could be sent again.
    expect(await again()).toEqual([0, 0]);
    await closePage(page);
    await client.buckets.setEventRules(bucket, [{ name: 'uploads', events: ['created'], url: place.url }]);

    page = await signedIn(person, '/deliveries');
    await page.getByText(`bucket ${bucket}`).first().click();
    await page.getByRole('button', { name: say('Send a test event') }).click();
    const pane = page.locator('.deliveries_delivery-pane');
    await pane.getByText('{"seen":true}').waitFor();
    expect(await again()).toEqual([1, 1]);
    await pane.getByText('webhook-signature').waitFor();
    expect(place.requests).toHaveLength(1);
    await pane.getByRole('button', { name: say('Resend') }).click();
    await expect.poll(() => place.requests.length).toBe(2);
    await pane.getByText(say('Delivered after {{count}} attempts.', { count: 2 })).waitFor();

    const before = await client.accounts.webhookSecrets();
    await page.getByRole('button', { name: say('Exchange…') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('Exchange') })
      .click();
    await expect.poll(async () => (await client.accounts.webhookSecrets()).length).toBe(before.length + 1);
    await page.getByRole('button', { name: say('Show', {}, 'deliveries') }).click();
    await page.getByText(say('retires in')).waitFor();
    // The list shows whose they are, not what they are.
    for (const { secret } of await client.accounts.webhookSecrets())
      expect(await page.content()).not.toContain(secret);
  },
);
