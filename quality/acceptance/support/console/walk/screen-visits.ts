/** Every screen's address, with something to see there; and what of it a reader must find. */
import type { HostileAccount } from './hostile-account.ts';
import { hostileNames } from './hostile-names.ts';

export interface ScreenVisit {
  /** As the router has it: a screen that is in no place fails the walk. */
  readonly route: string;
  /** Path and search. */
  readonly at: string;
  /** Looks like another one: it is only about what stands in the address. */
  readonly isLure?: true;
  /** Texts that must be there, letter by letter. */
  readonly shows?: readonly string[];
  /** Texts of the address that must not be there. */
  readonly hides?: readonly string[];
}

const [SCRIPT = ''] = hostileNames;
/** Every screen takes part of its address from outside. */
const LURE = encodeURIComponent(SCRIPT);

/** What nobody has to sign in for. */
export const door: ScreenVisit = { route: '/sign-in', at: `/sign-in?failed=${LURE}`, hides: [SCRIPT] };

export function places(account: HostileAccount): readonly ScreenVisit[] {
  const { bucket, keys, taken, live } = account;
  const [first = ''] = keys;
  const [described = ''] = taken.metadata;
  const here = `/buckets/${bucket}`;
  const settings = (name: string, shows: readonly string[] = []): ScreenVisit => ({
    route: `/buckets/$bucket/${name.replace(/\?.*/, '')}`,
    at: `${here}/${name}`,
    shows,
  });
  return [
    { route: '/', at: '/' },
    { route: '/', at: `/?range=${LURE}`, isLure: true },
    { route: '/buckets', at: '/buckets', shows: [bucket] },
    { route: '/buckets', at: `/buckets?find=${LURE}`, isLure: true },
    { route: '/buckets', at: '/buckets?create=true' },
    { route: '/buckets/$bucket/objects/$', at: `${here}/objects/` },
    {
      route: '/buckets/$bucket/objects/$',
      at: `${here}/objects/?begins=%3Cimg`,
      shows: keys.filter((key) => key.startsWith('<img') && !key.includes('/')),
    },
    {
      route: '/buckets/$bucket/objects/$',
      at: `${here}/objects/?key=${encodeURIComponent(first)}`,
      shows: [first],
    },
    { route: '/buckets/$bucket/objects/$', at: `${here}/objects/?sort=name&down=true`, isLure: true },
    {
      route: '/buckets/$bucket/objects/$',
      at: `${here}/objects/?key=${encodeURIComponent(described)}`,
      shows: [described],
    },
    {
      route: '/buckets/$bucket/objects/$',
      at: `/buckets/${LURE}/objects/${LURE}/?begins=${LURE}`,
      isLure: true,
      hides: [SCRIPT],
    },
    settings(
      'trash',
      taken.trashed.slice(0, 3).map((name) => `gone/${name}`),
    ),
    settings('access'),
    settings('cors', ['https://app.example.com']),
    settings('lifecycle', taken.lifecycle.slice(0, 3)),
    settings('domains'),
    settings('mirror'),
    settings('quota'),
    settings('events', taken.event.slice(0, 3)),
    settings(`events?edit=${encodeURIComponent(taken.event[0] ?? '')}`, taken.event.slice(0, 1)),
    settings('lifecycle?edit=%2B'),
    settings('cors?edit=%2B'),
    settings('triggers', taken.trigger.slice(0, 3)),
    settings('styles', ['imageView2/1/w/200']),
    {
      route: '/upload-tokens',
      at: `/upload-tokens?bucket=${bucket}&way=prefix&key=${LURE}`,
      shows: [SCRIPT],
    },
    { route: '/upload-tokens', at: '/upload-tokens?explain=true' },
    { route: '/fetches', at: `/fetches?url=${LURE}&bucket=${bucket}&key=${LURE}`, shows: [SCRIPT] },
    { route: '/trash', at: '/trash', shows: [bucket] },
    { route: '/bulk', at: '/bulk' },
    { route: '/bulk/$id', at: `/bulk/${account.bulk}`, shows: [`nowhere/${first}`] },
    { route: '/tasks', at: '/tasks', shows: taken.task.slice(0, 3) },
    { route: '/tasks', at: `/tasks?key=${LURE}&pipeline=${LURE}`, isLure: true },
    { route: '/tasks/$id', at: `/tasks/${account.failed}?item=0` },
    { route: '/tasks/$id', at: `/tasks/${account.done}?view=table`, shows: [first] },
    { route: '/tasks/$id', at: `/tasks/${LURE}`, isLure: true, hides: [SCRIPT] },
    { route: '/pipelines', at: '/pipelines', shows: [account.pipeline] },
    { route: '/pipelines/$name', at: `/pipelines/${account.pipeline}` },
    { route: '/pipelines/$name', at: `/pipelines/${LURE}`, isLure: true, hides: [SCRIPT] },
    { route: '/templates', at: '/templates', shows: taken.trigger.slice(0, 1) },
    { route: '/commands', at: `/commands?bucket=${bucket}&key=photo.png&command=imageView2/2/w/100` },
    { route: '/commands', at: `/commands?bucket=${bucket}&key=${LURE}&command=${LURE}`, shows: [SCRIPT] },
    { route: '/deliveries', at: '/deliveries' },
    { route: '/deliveries/$id', at: `/deliveries/${account.delivery}?try=1`, shows: [SCRIPT] },
    { route: '/endpoints/$endpoint', at: `/endpoints/${encodeURIComponent(account.endpoint)}` },
    { route: '/live', at: '/live' },
    { route: '/live/$ns', at: `/live/${live.namespace}`, shows: [live.stream] },
    { route: '/live/$ns', at: `/live/${LURE}`, isLure: true, hides: [SCRIPT] },
    { route: '/live/$ns/streams/$stream', at: `/live/${live.namespace}/streams/${live.stream}` },
    {
      route: '/live/$ns/streams/$stream',
      at: `/live/${LURE}/streams/${LURE}`,
      isLure: true,
      hides: [SCRIPT],
    },
    { route: '/devices', at: '/devices' },
    {
      route: '/devices/$ns/$gbId',
      at: `/devices/${live.cameras}/${live.camera}`,
      shows: [live.cameraName],
    },
    { route: '/devices/$ns/$gbId', at: `/devices/${LURE}/${LURE}`, isLure: true, hides: [SCRIPT] },
    { route: '/devices/$ns/$gbId/$channel', at: `/devices/${live.cameras}/${live.camera}/${LURE}` },
    { route: '/keys', at: '/keys', shows: taken.note.slice(0, 3) },
    { route: '/keys/$key', at: `/keys/${account.accessKey}`, shows: [account.accessKey] },
    { route: '/accounts', at: '/accounts' },
    { route: '/sessions', at: '/sessions', shows: [SCRIPT] },
    { route: '/audit', at: '/audit' },
    { route: '/audit', at: `/audit?actor=${LURE}&target=${LURE}&action=${LURE}&reqid=${LURE}`, isLure: true },
    { route: '/engines', at: '/engines' },
    { route: '/requests', at: '/requests' },
    { route: '/requests/$reqid', at: `/requests/${account.reqid}`, shows: [account.reqid] },
    { route: '/requests/$reqid', at: `/requests/${LURE}`, isLure: true, hides: [SCRIPT] },
    { route: '/$', at: `/${LURE}`, hides: [SCRIPT] },
  ];
}
