/** Live in the console: a stream is made, published, seen, recorded and disabled; a camera is added and registers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Client } from '@millpond/client/server';
import {
  type Camera,
  createBucket,
  createDeployment,
  createRtmpEngine,
  type Deployment,
  freePort,
  openCamera,
  type RtmpEngine,
} from '@millpond/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../support/accounts/accounts.ts';
import { createParent } from '../../support/accounts/operator.ts';
import { closePage, hasBrowser, openPage, signInAt } from '../../support/console/browser.ts';
import { useLanguage } from '../../support/console/words.ts';
import { target } from '../../support/target.ts';

const say = useLanguage('zh-CN');
const SOON = { timeout: 120_000, interval: 100 };
const PLAYED = `document.querySelector('video')?.currentTime ?? 0`;
const GBID = '34020000001320000001';
const PASSWORD = 'camera-secret';
const BUCKET = 'live-screens';

let engine: RtmpEngine | undefined;
let deployment: Deployment | undefined;
let publisher: ChildProcess | undefined;
let camera: Camera | undefined;
let person: Person;
let client: Client;
let page: Page;
let consoleUrl = '';
const sip = { address: '127.0.0.1', port: 0, serverId: '34020000002000000001', realm: '3402000000' };

beforeAll(async () => {
  if (!hasBrowser) return;
  engine = await createRtmpEngine({ updateInterval: '1s' });
  await engine.start();
  sip.port = await freePort();
  consoleUrl = `http://127.0.0.1:${await freePort()}`;
  deployment = await createDeployment({
    store: target.store,
    settings: {
      ...engine.settings,
      MILLPOND_LISTEN: `${engine.settings.MILLPOND_LISTEN},${consoleUrl}/console`,
      MILLPOND_PLAIN_HTTP: 'true',
      MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${sip.port}`,
    },
  });
  const { url } = await deployment.start();
  person = await createParent(deployment.environment);
  await createBucket(url, person, BUCKET);
  client = new Client({ url, credentials: person });
  // This file's server is one of its own.
  page = await openPage();
  page.setDefaultTimeout(SOON.timeout);
  await signInAt(page, person, `${consoleUrl}/live`);
}, 180_000);
afterAll(async () => {
  if (page !== undefined) await closePage(page);
  publisher?.kill('SIGKILL');
  await camera?.close();
  await deployment?.destroy();
  await engine?.destroy();
});

/** A real publisher, until the tests end. */
function publish(url: string): void {
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10'];
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-pix_fmt', 'yuv420p'];
  publisher = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...source, ...encoded, '-f', 'flv', url], {
    stdio: 'ignore',
  });
}

async function playsOn(): Promise<void> {
  const before = Number(await page.evaluate(PLAYED));
  await expect.poll(() => page.evaluate(PLAYED), SOON).toBeGreaterThan(before + 1);
}

test.runIf(hasBrowser)('a stream is made, seen live, recorded, played again and disabled', async () => {
  const template = { name: 'demand', bucket: BUCKET, templateType: 0, recordType: 2 } as const;
  const { id: recordTemplateId } = await client.live.createTemplate(template);
  await page.goto(`${consoleUrl}/live`);
  await page.getByRole('button', { name: say('New namespace') }).click();
  await page.getByRole('textbox', { name: say('Name') }).fill('studio');
  await page.getByRole('button', { name: say('Create') }).click();
  await page.getByText(say('No streams in this namespace')).waitFor();
  const ns = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await client.live.changeNamespace(ns, { recordTemplateId });
  await page
    .getByRole('button', { name: say('New stream') })
    .first()
    .click();
  await page.getByRole('textbox', { name: say('Name of the stream') }).fill('stage-a');
  await page.getByRole('button', { name: say('Create') }).click();
  await page.getByText(say('Nobody has published yet: give the address beside to an encoder')).waitFor();

  publish((await client.live.streams(ns).urls('stage-a')).publishUrl);
  await page.getByText(new RegExp(say('online for {{span}}', { span: '\\d' }))).waitFor();
  await playsOn();
  await page.getByRole('button', { name: say('Record'), exact: true }).click();
  await page.getByText(say('Recording until you end it')).waitFor();
  await playsOn();
  await page.getByRole('button', { name: say('End recording') }).click();
  await page.getByRole('cell', { name: say('on demand', {}, 'live recordings.') }).waitFor();
  await page
    .getByRole('link', { name: new RegExp(say('Play the recording of {{at}}', { at: '.+' })) })
    .click();
  await page.getByText(say('Back to the live picture')).waitFor();
  await expect.poll(() => page.evaluate(PLAYED), SOON).toBeGreaterThan(0.5);

  await page.getByRole('button', { name: say('More acts') }).click();
  await page.getByRole('menuitem', { name: say('Disable…') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('Disable') })
    .click();
  await page.getByText(say('The stream is disabled')).waitFor();
  expect(await client.live.streams(ns).get('stage-a')).toMatchObject({ disabled: true });
});

test.runIf(hasBrowser)(
  'a camera is added with what its menu needs, and is in the tree once it registers',
  async () => {
    await page.goto(`${consoleUrl}/devices`);
    await page.getByRole('button', { name: say('New namespace') }).click();
    await page.getByRole('textbox', { name: say('Name') }).fill('yard');
    await page.getByRole('button', { name: say('Create') }).click();
    await page.getByRole('button', { name: say('Add a device') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: new RegExp(`^${say('Name')}`) }).fill('<b>Gate</b>');
    await dialog.getByRole('textbox', { name: new RegExp(`^${say('Device id')}`) }).fill(GBID);
    await dialog.getByLabel(say('Password')).fill(PASSWORD);
    await dialog.getByRole('button', { name: say('Add'), exact: true }).click();
    await page.getByText(`127.0.0.1:${sip.port}`).waitFor();
    camera = await openCamera(sip, { gbid: GBID, password: PASSWORD, channels: [{ gbid: GBID }] });
    await camera.register();
    await page.getByRole('heading', { name: '<b>Gate</b>' }).waitFor();
    await page.getByRole('heading', { name: say('Channels', {}, 'devices') }).waitFor();
    await page.getByRole('button', { name: say('What is in {{name}}', { name: '<b>Gate</b>' }) }).waitFor();
  },
);
