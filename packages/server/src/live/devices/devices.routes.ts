/** Calls on devices and their channels, under `/v1/namespaces/<ns>/devices`. */
import { jsonBody, type Route } from '../../platform/web/index.ts';
import {
  invalidField,
  parseCreate,
  parsePatch,
  type ResourceRoute,
  readListQuery,
} from '../../platform/web/resources/index.ts';
import type { DeviceFilter } from './device.store.ts';
import { channelJson, deviceFields, deviceJson, newDeviceFields } from './devices.fields.ts';
import type { Devices } from './devices.ts';
import { type DeviceMedia, readChannels } from './media/device-media.ts';

const ALL = '/namespaces/:ns/devices';
const ONE = `${ALL}/:gbid`;

export function deviceRoutes(route: ResourceRoute, devices: Devices, media: DeviceMedia): Route[] {
  const asked = (path: string, act: DeviceMedia['start']) =>
    route('POST', path, async ({ uid, name, context }) => {
      await act(
        uid,
        name('ns'),
        name('gbid'),
        readChannels(context.body.length === 0 ? {} : jsonBody(context)),
      );
      return undefined;
    });
  return [
    route('POST', ALL, async ({ uid, name, context }) =>
      deviceJson(await devices.create(uid, name('ns'), parseCreate(newDeviceFields, jsonBody(context)))),
    ),
    route('GET', ALL, async ({ uid, name, query }) => {
      const { rows, total } = await devices.page(uid, name('ns'), readListQuery(query), readFilter(query));
      return { items: rows.map(deviceJson), total };
    }),
    route('GET', ONE, async ({ uid, name }) =>
      deviceJson(await devices.owned(uid, name('ns'), name('gbid'))),
    ),
    route('PATCH', ONE, async ({ uid, name, context }) =>
      deviceJson(
        await devices.change(uid, name('ns'), name('gbid'), parsePatch(deviceFields, jsonBody(context))),
      ),
    ),
    route('DELETE', ONE, async ({ uid, name }) => {
      await devices.remove(uid, name('ns'), name('gbid'));
      return undefined;
    }),
    asked(`${ONE}/start`, (...what) => media.start(...what)),
    asked(`${ONE}/stop`, (...what) => media.stop(...what)),
    route('POST', `${ONE}/catalog/fetch`, async ({ uid, name }) => {
      await devices.fetchCatalog(uid, name('ns'), name('gbid'));
      return undefined;
    }),
    route('GET', `${ONE}/channels`, async ({ uid, name, query }) => {
      const list = readListQuery(query);
      const page = await devices.channels(uid, name('ns'), name('gbid'), list, query.get('prefix') ?? '');
      return {
        onlineCount: page.online,
        offlineCount: page.total - page.online,
        total: page.total,
        items: page.rows.map(channelJson),
      };
    }),
    route('GET', `${ONE}/channels/:channel`, async ({ uid, name }) =>
      channelJson(await devices.channel(uid, name('ns'), name('gbid'), name('channel'))),
    ),
    route('DELETE', `${ONE}/channels/:channel`, async ({ uid, name }) => {
      await devices.removeChannel(uid, name('ns'), name('gbid'), name('channel'));
      return undefined;
    }),
  ];
}

function readFilter(query: URLSearchParams): DeviceFilter {
  const state = query.get('state') ?? '';
  const kind = query.get('qtype') ?? '0';
  if (state !== '' && state !== 'online' && state !== 'offline' && state !== 'notReg')
    throw invalidField('state must be online, offline or notReg');
  if (!/^[012]$/.test(kind)) throw invalidField('qtype must be 0, 1 for cameras or 2 for platforms');
  return { state, kind: Number(kind), prefix: query.get('prefix') ?? '' };
}
