import { type RecordName, ref } from '../records/index.ts';
import { anything, integer, listOf, record, text, withDescription } from '../records/schema.ts';
import { answers, group, json, may, needed, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const live = group('Live streams', 'live', 'management or token');
const open = group('Live streams', 'live', 'none');

const one = '/v1/namespaces/{ns}';
const streams = `${one}/streams`;
const stream = `${streams}/{stream}`;
const template = '/v1/templates/{template}';
const missing = { 612: 'there is nothing with that id' };
const taken = { ...missing, 614: 'the name is in use' };
const offline = { ...missing, 403: 'it has no template for this', 612: 'it does not exist or is offline' };
const page = [
  may('offset', 'how many to skip', integer),
  may('line', 'from 1 to 1000', integer),
  may('sortBy', '`asc` or `desc`, with `:createdAt`, `:updatedAt` or `:lastPushedAt`'),
];
const range = [
  may('start', 'from this time on, unix seconds', integer),
  may('end', 'before this time, unix seconds', integer),
  may('line', 'from 1 to 100', integer),
  may('marker', 'where the last page ended'),
  may('sortBy', '`asc`, or `desc` for the newest first'),
];
const change = json(record({ operations: listOf(record({ op: text, key: text, 'value?': anything })) }));
const files = json(record({ files: listOf(text) }));
const listed = (name: RecordName) => answers(record({ items: listOf(ref(name)), total: integer }));
const namespace = { answer: answers(ref('Namespace')) };

export const liveCalls: readonly CallDescription[] = [
  live('createNamespace', 'POST /v1/namespaces', 'Creates a namespace for streams or devices', {
    body: json(ref('NewNamespace')),
    ...namespace,
    faults: taken,
  }),
  live('namespaces', 'GET /v1/namespaces', 'Namespaces of the account', {
    query: [...page, may('prefix', 'only names that begin with this')],
    answer: listed('Namespace'),
  }),
  live('namespace', `GET ${one}`, 'One namespace', { ...namespace, faults: missing }),
  live('changeNamespace', `PATCH ${one}`, 'Changes fields of a namespace', {
    body: change,
    ...namespace,
    faults: taken,
  }),
  live('removeNamespace', `DELETE ${one}`, 'Removes a namespace', {
    faults: { ...missing, 403: 'it is not empty' },
  }),
  live('enableNamespace', `POST ${one}/enabled`, 'Enables a namespace: its streams can be published again', {
    faults: missing,
  }),
  live(
    'disableNamespace',
    `POST ${one}/disabled`,
    'Disables a namespace: disconnects its publishers and refuses new ones',
    {
      faults: missing,
    },
  ),

  live('createStream', `POST ${streams}`, 'Creates a stream with its own key', {
    body: json(ref('NewStream')),
    answer: answers(ref('Stream')),
    faults: taken,
  }),
  live('streams', `GET ${streams}`, 'Streams of a namespace', {
    query: [
      ...page,
      may('qtype', '0 all, 1 online, 2 offline', integer),
      may('prefix', 'only ids that begin with this'),
    ],
    answer: listed('Stream'),
    faults: missing,
  }),
  live('stream', `GET ${stream}`, 'One stream, with its key', {
    answer: answers(ref('Stream')),
    faults: missing,
  }),
  live('changeStream', `PATCH ${stream}`, 'Changes fields of a stream', {
    body: change,
    answer: answers(ref('Stream')),
    faults: missing,
  }),
  live('removeStream', `DELETE ${stream}`, 'Removes a stream', {
    faults: { ...missing, 403: 'it is online' },
  }),
  live('enableStream', `POST ${stream}/enabled`, 'Enables a stream: it can be published again', {
    faults: missing,
  }),
  live(
    'disableStream',
    `POST ${stream}/disabled`,
    'Disables a stream: disconnects its publisher and refuses new ones',
    {
      faults: missing,
    },
  ),
  live('stopStream', `POST ${stream}/stop`, 'Disconnects the publisher', { faults: missing }),
  live('changeStreamKey', `POST ${stream}/key`, 'Creates a new key; the old one no longer works', {
    answer: answers(record({ key: text })),
    faults: missing,
  }),
  live('streamUrls', `POST ${stream}/urls`, 'Addresses to publish and play the stream', {
    body: json(record({ 'urlExpireSec?': withDescription(integer, 'default 3600') })),
    answer: answers(ref('StreamUrls')),
    faults: { ...missing, 501: 'no engine is configured for live streams' },
  }),
  live('publishHistories', `GET ${stream}/pubhistories`, 'Who published the stream, and when', {
    query: [may('line', 'from 1 to 1000', integer)],
    answer: answers(record({ items: listOf(ref('Publisher')) })),
    faults: missing,
  }),
  live('streamFigures', `GET ${stream}/figures`, 'What comes in from the publisher, now and by minute', {
    answer: answers(ref('StreamFigures')),
    faults: missing,
  }),
  live('startRecording', `POST ${stream}/record/start`, 'Starts a recording on demand', { faults: offline }),
  live('stopRecording', `POST ${stream}/record/stop`, 'Stops a recording on demand', { faults: offline }),
  live('recordings', `GET ${stream}/recordhistories`, 'Recordings of a stream', {
    query: range,
    answer: pageOf('Recording'),
    faults: missing,
  }),
  live('removeRecordings', `DELETE ${stream}/recordhistories`, 'Removes recordings by their files', {
    body: files,
    faults: missing,
  }),
  live('playback', `GET ${stream}/records/playback.m3u8`, 'A playlist of what was recorded in a period', {
    query: [needed('start', 'unix seconds', integer), needed('end', 'unix seconds', integer)],
    answer: { type: 'application/vnd.apple.mpegurl', schema: text },
    faults: { 612: 'there is no such stream, or nothing was recorded' },
  }),
  live('takeSnapshot', `POST ${stream}/snap`, 'Takes a snapshot; an event reports the result', {
    answer: answers(record({ fname: text })),
    faults: offline,
  }),
  live('snapshots', `GET ${stream}/snapshots`, 'Snapshots of a stream', {
    query: range,
    answer: pageOf('Snapshot'),
    faults: missing,
  }),
  live('removeSnapshots', `DELETE ${stream}/snapshots`, 'Removes snapshots by their files', {
    body: files,
    faults: missing,
  }),

  live('createTemplate', 'POST /v1/templates', 'Creates a template: how recordings or snapshots are kept', {
    body: json(ref('NewTemplate')),
    answer: answers(ref('Template')),
    faults: { 614: 'the name is in use', 631: 'there is no such bucket' },
  }),
  live('templates', 'GET /v1/templates', 'Templates of the account', {
    query: page,
    answer: listed('Template'),
  }),
  live('template', `GET ${template}`, 'One template', { answer: answers(ref('Template')), faults: missing }),
  live('changeTemplate', `PATCH ${template}`, 'Changes fields of a template', {
    body: change,
    answer: answers(ref('Template')),
    faults: taken,
  }),
  live('removeTemplate', `DELETE ${template}`, 'Removes a template', {
    faults: { ...missing, 403: 'a namespace or stream uses it' },
  }),

  open('play', 'GET /v1/play/{ns}/{stream}/{file}', 'HLS of a stream, by an address with a token', {
    query: [needed('e', 'when the token expires, unix seconds'), needed('token', 'as returned by `urls`')],
    answer: { type: 'application/vnd.apple.mpegurl', schema: text },
    faults: { 401: 'the token is not valid', 612: 'the stream is offline' },
  }),
  open('engineHook', 'POST /v1/hooks/{engine}', 'For engines, which send their secret', {
    faults: { 401: 'wrong secret', 403: 'the publisher is refused' },
  }),
];
