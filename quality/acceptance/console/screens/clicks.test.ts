/** How far it is from what is wrong to its cause, and to mending it: counted in clicks, from the overview. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, signedIn } from '../../support/console/browser.ts';
import { countClicks } from '../../support/console/clicks.ts';
import { useLanguage } from '../../support/console/words.ts';
import { ended, submitted } from '../../support/objects/processing.ts';
import { useReceiver } from '../../support/receivers/receiver.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('en');
const receiver = useReceiver();
/** What ffmpeg prints. */
const WORDS = 'Invalid data found when processing input';
const UNREADABLE =
  'The engine cannot read the source: it is cut off, damaged, or not what its name says. Look at it, upload it again, then run the task again.';
const bucket = `clicks-${Date.now().toString(36)}`;
let person: Person;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  person = await createParent();
  await createBucket(target.url, person, bucket);
});
afterEach(() => closePage(page));

function put(key: string, policy: object = {}) {
  const token = uploadToken(person, { scope: `${bucket}:${key}`, ...policy });
  return uploadForm(target.url, 'this is no film', { token, key });
}

test.runIf(hasBrowser)(
  'from the overview to the cause of a failed transcode in at most 3 clicks',
  async () => {
    expect((await put('takes/broken.mov')).status).toBe(200);
    const id = await submitted({ bucket, key: 'takes/broken.mov', fops: 'avthumb/mp4' }, { keys: person });
    expect((await ended(id)).items[0]?.error).toContain('the source is damaged');
    page = await signedIn(person);
    const clicks = await countClicks(page);
    const row = page.getByRole('row', { name: new RegExp(`${say('Task')} .*takes/broken\\.mov`) });
    await row.getByRole('link', { name: say('task') }).click();
    // What the engine itself said, and in words what that means.
    await page.getByRole('heading', { name: say('In the engine’s own words') }).waitFor();
    await page.getByText(WORDS).first().waitFor();
    await page.getByText(say(UNREADABLE)).waitFor();
    expect(clicks()).toBeGreaterThan(0);
    expect(clicks()).toBeLessThanOrEqual(3);
  },
);

test.runIf(hasBrowser)('from a failed callback to its replay in at most 4 clicks', async () => {
  let isOpen = false;
  const business = receiver.at((response) =>
    response.writeHead(isOpen ? 200 : 500, { 'content-type': 'application/json' }).end('{"ok":true}'),
  );
  const answer = await put('orders/1.txt', { callbackUrl: business.url, callbackBody: 'key=$(key)' });
  expect(answer.status).toBe(579);
  isOpen = true;
  page = await signedIn(person);
  const clicks = await countClicks(page);
  const row = page.getByRole('row', { name: new RegExp(`${say('Upload callback')} .*orders/1\\.txt`) });
  await row.getByRole('link', { name: say('delivery') }).click();
  const attempts = page.getByRole('table').getByRole('row');
  await attempts.filter({ hasText: '500' }).waitFor();
  await page.getByRole('button', { name: say('Resend') }).click();
  await expect.poll(() => business.requests.length).toBe(2);
  expect(business.requests.map(({ text }) => text)).toEqual(['key=orders%2F1.txt', 'key=orders%2F1.txt']);
  await attempts.filter({ hasText: '200' }).waitFor();
  expect(clicks()).toBeGreaterThan(0);
  expect(clicks()).toBeLessThanOrEqual(4);
});
