/** Every screen of the console as somebody may find it: with its panels, dialogs and menus open, empty, and failed. */
import type { Page } from 'playwright-core';
import type { Studio } from '../../support/console/studio.ts';

export interface Scene {
  readonly name: string;
  readonly at: string;
  /** Phones have nothing of it. */
  readonly isWide?: true;
  /** What to do there before the picture. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const MIB = 1024 * 1024;

/** Nobody is signed in. */
export const doorScenes: readonly Scene[] = [
  { name: 'sign-in', at: '/sign-in' },
  {
    name: 'sign-in-refused',
    at: '/sign-in',
    async act(page) {
      await page.locator('input[name=email]').fill('lena@studio.example');
      await page.locator('input[name=password]').fill('not the password');
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
];

export function studioScenes(studio: Studio): readonly Scene[] {
  const { bucket, failed, live } = studio;
  const here = `/buckets/${bucket}`;
  const still = encodeURIComponent(studio.still);
  const stills = `${here}/objects/stills/`;
  const task = `/tasks/${failed}?item=0`;
  return [
    { name: 'overview', at: '/' },
    { name: 'account-menu', at: '/', act: openMore('.navigation_account-button') },
    { name: 'palette', at: '/', act: (page) => page.keyboard.press('Control+k') },
    { name: 'palette-found', at: '/', act: (page) => typed(page, 'harb') },
    { name: 'buckets', at: '/buckets' },
    { name: 'bucket-new', at: '/buckets?create=true' },
    { name: 'bucket-acts', at: '/buckets', act: pressed('td.actions button') },
    { name: 'bucket-drop', at: '/buckets', act: pressed('td.actions button', '.menu-item') },
    { name: 'objects', at: `${here}/objects/` },
    { name: 'objects-folder', at: stills },
    { name: 'objects-chosen', at: stills, isWide: true, act: pressed('[role=gridcell] .check >> nth=1') },
    {
      name: 'objects-many',
      at: stills,
      isWide: true,
      // Another one: what was chosen before may still be.
      act: pressed('[role=gridcell] .check >> nth=2', '.objects_selection-bar .danger'),
    },
    { name: 'objects-as-command', at: stills, act: (page) => page.keyboard.press('.') },
    { name: 'object', at: `${stills}?key=${still}` },
    { name: 'object-film', at: `${here}/objects/takes/?key=harbour.mp4` },
    { name: 'object-text', at: `${here}/objects/notes/?key=call-sheet.md` },
    { name: 'object-more', at: `${stills}?key=${still}`, act: pressed('.actions .button >> nth=-1') },
    {
      name: 'object-delete',
      at: `${stills}?key=${still}`,
      act: pressed('.actions .button >> nth=-1', '.menu-item >> nth=-1'),
    },
    { name: 'object-gone', at: `${stills}?key=nothing.jpg` },
    { name: 'bucket-gone', at: '/buckets/nobody-has-this/objects/' },
    { name: 'trash', at: `${here}/trash` },
    { name: 'trash-places', at: '/trash' },
    { name: 'bucket-access', at: `${here}/access` },
    { name: 'cors', at: `${here}/cors` },
    { name: 'cors-new', at: `${here}/cors?edit=%2B` },
    { name: 'lifecycle', at: `${here}/lifecycle` },
    { name: 'lifecycle-edit', at: `${here}/lifecycle?edit=old_takes` },
    { name: 'domains', at: `${here}/domains` },
    { name: 'styles', at: `${here}/styles` },
    { name: 'style-edit', at: `${here}/styles?edit=card` },
    { name: 'quota', at: `${here}/quota` },
    { name: 'mirror', at: `${here}/mirror` },
    { name: 'events', at: `${here}/events` },
    { name: 'event-new', at: `${here}/events?edit=%2B` },
    { name: 'triggers', at: `${here}/triggers` },
    { name: 'trigger-new', at: `${here}/triggers?edit=%2B` },
    { name: 'upload-tokens', at: `/upload-tokens?bucket=${bucket}&way=prefix&key=stills/` },
    { name: 'upload-token-explained', at: '/upload-tokens?explain=true' },
    { name: 'fetches', at: `/fetches?bucket=${bucket}&url=https://example.com/harbour.jpg` },
    { name: 'bulk', at: '/bulk' },
    { name: 'bulk-one', at: `/bulk/${studio.bulk}` },
    { name: 'tasks', at: '/tasks' },
    { name: 'task', at: task },
    { name: 'task-table', at: `${task}&view=table` },
    { name: 'task-json', at: `${task}&view=json` },
    { name: 'task-gone', at: '/tasks/nobody-has-this' },
    { name: 'pipelines', at: '/pipelines' },
    { name: 'pipeline-new', at: '/pipelines', act: pressed('.top-bar .button.primary') },
    { name: 'pipeline', at: '/pipelines/dailies' },
    { name: 'templates', at: '/templates' },
    { name: 'template-new', at: '/templates', act: pressed('.top-bar .button.primary') },
    { name: 'template-edit', at: '/templates?template=web-video' },
    { name: 'template-trigger-new', at: '/templates', act: pressed('.section .button') },
    {
      name: 'commands',
      at: `/commands?bucket=${bucket}&key=stills/${still}&command=imageView2/1/w/480/h/320`,
    },
    {
      name: 'command-submit',
      at: `/commands?bucket=${bucket}&key=takes/harbour.mp4&command=avthumb/mp4/s/640x360`,
      act: pressed('.top-bar .button.primary'),
    },
    { name: 'deliveries', at: '/deliveries' },
    { name: 'delivery', at: `/deliveries/${studio.delivery}?try=1` },
    { name: 'delivery-replay', at: '/deliveries', act: pressed('.top-bar .button >> nth=-1') },
    { name: 'live', at: '/live' },
    { name: 'live-new', at: '/live', act: pressed('.top-bar .button.primary') },
    { name: 'live-namespace', at: `/live/${live.stages}` },
    { name: 'live-settings', at: `/live/${live.stages}?pane=settings` },
    { name: 'live-stream-new', at: `/live/${live.stages}`, act: pressed('.top-bar .button.primary') },
    { name: 'live-stream', at: `/live/${live.stages}/streams/${live.stream}` },
    { name: 'devices', at: '/devices' },
    { name: 'device', at: `/devices/${live.quay}/${live.camera}` },
    { name: 'device-new', at: `/devices?ns=${live.quay}`, act: pressed('.top-bar .button.primary') },
    { name: 'keys', at: '/keys' },
    { name: 'key-acts', at: '/keys', act: pressed('td.actions button') },
    { name: 'key-new', at: '/keys', act: pressed('.top-bar .button.primary') },
    { name: 'key-limits', at: '/keys', act: pressed('td.actions button >> nth=-1', '.menu-item') },
    { name: 'key-disable', at: '/keys', act: pressed('td.actions button', '.menu-item >> nth=1') },
    { name: 'accounts', at: '/accounts' },
    { name: 'account-new', at: '/accounts', act: pressed('.top-bar .button.primary') },
    { name: 'sessions', at: '/sessions' },
    { name: 'audit', at: '/audit' },
    { name: 'requests', at: '/requests' },
    { name: 'request', at: `/requests/${studio.reqid}` },
    { name: 'request-gone', at: '/requests/nobodyhasthis' },
    { name: 'nowhere', at: '/no/such/screen' },
    { name: 'offline', at: '/buckets', act: (page) => page.context().setOffline(true) },
    { name: 'uploads', at: `${here}/objects/notes/`, act: upload },
    { name: 'uploads-interrupted', at: `${here}/objects/notes/` },
  ];
}

/** The screens of an account that has nothing yet. */
export const emptyScenes: readonly Scene[] = [
  'overview',
  'buckets',
  'upload-tokens',
  'fetches',
  'trash',
  'bulk',
  'tasks',
  'pipelines',
  'templates',
  'commands',
  'deliveries',
  'live',
  'devices',
  'keys',
  'accounts',
  'audit',
].map((name) => ({ name: `empty-${name}`, at: name === 'overview' ? '/' : `/${name}` }));

export const operatorScenes: readonly Scene[] = [
  { name: 'operator', at: '/?range=1h' },
  { name: 'operator-chooser', at: '/', act: openMore('.navigation_account-switcher') },
  { name: 'operator-accounts', at: '/accounts' },
  { name: 'operator-engines', at: '/engines' },
  { name: 'operator-audit', at: '/audit' },
  {
    name: 'operator-for-another',
    at: '/accounts',
    async act(page) {
      await page.locator('main tbody a').first().click();
      await page.locator('.navigation_acting-banner').waitFor();
    },
  },
];

/** Each is clicked once it is there. */
function pressed(...selectors: readonly string[]): (page: Page) => Promise<void> {
  return async (page) => {
    for (const selector of selectors) await page.locator(selector).locator('visible=true').first().click();
  };
}

/** Something of the navigation, which phones have behind the last tab. */
function openMore(selector: string): (page: Page) => Promise<void> {
  return async (page) => {
    const more = page.locator('.navigation_tab-bar .navigation_tab');
    if (await more.isVisible()) await more.click();
    await pressed(selector)(page);
  };
}

async function typed(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
}

/** One file arrives, one has a name that is taken, and one is on its way for as long as the page is open. */
async function upload(page: Page): Promise<void> {
  await page.route(/\/uploads\/[^/]+\/[2-9]/, () => {});
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([
      file('weather.txt', Buffer.from('wind from the west')),
      file('call-sheet.md', Buffer.from('# Day 4\n')),
      file('ferry-at-dawn-with-the-long-lens-second-unit.mov', Buffer.alloc(9 * MIB)),
    ]);
  // One of three.
  await page.locator('.tray_tray header').getByText(/1\D+3/).waitFor();
}
