import { ref } from '../records/index.ts';
import { anything, integer, listOf, record, text } from '../records/schema.ts';
import { answers, group, json, may } from './builders.ts';
import type { CallDescription } from './call.ts';

const device = group('Devices', 'live', 'management or token');

const all = '/v1/namespaces/{ns}/devices';
const one = `${all}/{gbid}`;
const missing = { 612: 'there is nothing with that id' };
const noMedia = { ...missing, 501: 'device media are not configured here (`MILLPOND_SIP_MEDIA_PORTS`)' };
const channels = json(record({ 'channels?': listOf(text) }));
const page = [
  may('offset', 'how many to skip', integer),
  may('line', 'from 1 to 1000', integer),
  may('sortBy', '`asc` or `desc`, with `:createdAt` or `:updatedAt`'),
  may('prefix', 'only ids that begin with this'),
];

export const deviceCalls: readonly CallDescription[] = [
  device('createDevice', `POST ${all}`, 'Creates a device: a camera or platform that may register by SIP', {
    body: json(ref('NewDevice')),
    answer: answers(ref('Device')),
    faults: { ...missing, 614: 'it already exists' },
  }),
  device('devices', `GET ${all}`, 'Devices of a namespace with their states', {
    query: [
      ...page,
      may('state', '`online`, `offline` or `notReg`'),
      may('qtype', '1 cameras, 2 platforms', integer),
    ],
    answer: answers(record({ items: listOf(ref('Device')), total: integer })),
    faults: missing,
  }),
  device('device', `GET ${one}`, 'One device', { answer: answers(ref('Device')), faults: missing }),
  device('changeDevice', `PATCH ${one}`, 'Changes fields of a device', {
    body: json(record({ operations: listOf(record({ op: text, key: text, 'value?': anything })) })),
    answer: answers(ref('Device')),
    faults: { ...missing, 614: 'another device has that id and user name' },
  }),
  device('removeDevice', `DELETE ${one}`, 'Removes a device', { faults: missing }),
  device('startDevice', `POST ${one}/start`, 'Starts the media of these channels, or of all', {
    body: channels,
    faults: noMedia,
  }),
  device('stopDevice', `POST ${one}/stop`, 'Stops the media of these channels, or of all', {
    body: channels,
    faults: noMedia,
  }),
  device('fetchCatalog', `POST ${one}/catalog/fetch`, 'Asks a device for its channels', {
    faults: { ...missing, 403: 'it is not online' },
  }),
  device('channels', `GET ${one}/channels`, 'Channels of a device with their states', {
    query: page,
    answer: answers(
      record({ onlineCount: integer, offlineCount: integer, total: integer, items: listOf(ref('Channel')) }),
    ),
    faults: missing,
  }),
  device('channel', `GET ${one}/channels/{channel}`, 'One channel', {
    answer: answers(ref('Channel')),
    faults: missing,
  }),
  device(
    'removeChannel',
    `DELETE ${one}/channels/{channel}`,
    'Removes a channel until the device lists it again',
    {
      faults: missing,
    },
  ),
];
