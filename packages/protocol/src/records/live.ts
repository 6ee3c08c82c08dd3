import {
  all,
  flag,
  integer,
  listOf,
  number,
  oneOf,
  record,
  said,
  text,
  time,
  unixSeconds,
} from './schema.ts';

const times = { createdAt: unixSeconds, updatedAt: unixSeconds };

const namespace = {
  name: text,
  'desc?': text,
  'accessType?': oneOf(['rtmp', 'gb28181'], 'cannot be changed later'),
  'callback?': said(text, 'where its events go'),
  'offlineDelay?': said(integer, 'seconds until a stream that is gone is reported offline'),
  'rtmpUrlType?': oneOf([1, 2], '1: publish with a key; 2: with tokens that expire'),
  'recordTemplateId?': text,
  'snapshotTemplateId?': text,
  'recordTemplateApplyAll?': flag,
  'snapshotTemplateApplyAll?': flag,
};

const stream = { streamId: text, 'desc?': text, 'recordTemplateId?': text, 'snapshotTemplateId?': text };

const template = {
  name: text,
  'desc?': text,
  'templateType?': oneOf([0, 1], '0: recordings; 1: snapshots'),
  bucket: text,
  'deleteAfterDays?': said(integer, '0: keep for ever'),
  'fileType?': oneOf([0, 1], 'storage class, 0 or 1'),
  'recordType?': oneOf([0, 1, 2], '0: none; 1: all the time; 2: on demand'),
  'recordFileFormat?': said(integer, '4 or 5: MP4'),
  'snapInterval?': said(integer, 'seconds; 0: no periodic snapshots'),
  'jpgOverwriteStatus?': flag,
  'jpgSequenceStatus?': flag,
  'jpgOnDemandStatus?': flag,
  'mp4FileNameTemplate?': text,
  'jpgOverwriteFileNameTemplate?': text,
  'jpgSequenceFileNameTemplate?': text,
  'jpgOnDemandFileNameTemplate?': text,
};

const bits = said(integer, 'bits a second');

export const liveRecords = {
  NewNamespace: record(namespace),
  Namespace: record({ id: text, ...all(namespace), disabled: flag, ...times }),
  NewStream: record(stream),
  Stream: record({
    ...all(stream),
    nsId: text,
    nsName: text,
    status: said(flag, 'whether it is online'),
    starting: said(flag, 'online, and there is nothing to play yet: its first segment is still to come'),
    disabled: flag,
    lastPushedAt: said(unixSeconds, 'unix seconds; 0: never'),
    ...times,
    'key?': said(text, 'what its publisher presents'),
  }),
  StreamUrls: record({ publishUrl: text, playUrls: record({ hls: text }) }),
  Publisher: record({
    start: unixSeconds,
    'end?': said(unixSeconds, 'unix seconds; absent while it continues'),
    'duration?': integer,
    clientIp: text,
  }),
  StreamFigures: record({
    'now?': said(
      record({
        ...{ bitrate: bits, video: bits, audio: bits },
        'fps?': said(number, 'as the publisher says, like all that follows'),
        ...{ 'width?': integer, 'height?': integer, 'videoCodec?': text, 'audioCodec?': text },
      }),
      'what comes in, as the engine measured it in the last seconds; absent if nobody publishes',
    ),
    minutes: said(
      listOf(record({ at: time, bitrate: bits, video: bits, audio: bits })),
      'the mean of each minute of the last hour',
    ),
  }),
  NewTemplate: record(template),
  Template: record({ id: text, ...all(template), ...times }),
  Recording: record({
    url: text,
    type: oneOf([1, 2], '1: all the time; 2: on demand'),
    start: unixSeconds,
    end: unixSeconds,
    duration: said(integer, 'seconds'),
    format: said(integer, '4: MP4'),
    bucket: text,
    file: said(text, 'its key in the bucket'),
  }),
  Snapshot: record({
    snap: said(text, 'its URL'),
    bucket: text,
    file: said(text, 'its key in the bucket'),
    time: unixSeconds,
  }),
};
