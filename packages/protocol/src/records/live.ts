import {
  allRequired,
  flag,
  integer,
  listOf,
  number,
  oneOf,
  record,
  text,
  time,
  unixSeconds,
  withDescription,
} from './schema.ts';

const times = { createdAt: unixSeconds, updatedAt: unixSeconds };

const namespace = {
  name: text,
  'desc?': text,
  'accessType?': oneOf(['rtmp', 'gb28181'], 'cannot be changed later'),
  'callback?': withDescription(text, 'where its events go'),
  'offlineDelay?': withDescription(integer, 'seconds until a stream that is gone is reported offline'),
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
  'deleteAfterDays?': withDescription(integer, '0: keep for ever'),
  'fileType?': oneOf([0, 1], 'storage class, 0 or 1'),
  'recordType?': oneOf([0, 1, 2], '0: none; 1: all the time; 2: on demand'),
  'recordFileFormat?': withDescription(integer, '4 or 5: MP4'),
  'snapInterval?': withDescription(integer, 'seconds; 0: no periodic snapshots'),
  'jpgOverwriteStatus?': flag,
  'jpgSequenceStatus?': flag,
  'jpgOnDemandStatus?': flag,
  'mp4FileNameTemplate?': text,
  'jpgOverwriteFileNameTemplate?': text,
  'jpgSequenceFileNameTemplate?': text,
  'jpgOnDemandFileNameTemplate?': text,
};

const bits = withDescription(integer, 'bits a second');

export const liveRecords = {
  NewNamespace: record(namespace),
  Namespace: record({ id: text, ...allRequired(namespace), disabled: flag, ...times }),
  NewStream: record(stream),
  Stream: record({
    ...allRequired(stream),
    nsId: text,
    nsName: text,
    status: withDescription(flag, 'whether it is online'),
    starting: withDescription(
      flag,
      'online, and there is nothing to play yet: its first segment is still to come',
    ),
    disabled: flag,
    lastPushedAt: withDescription(unixSeconds, 'unix seconds; 0: never'),
    ...times,
    'key?': withDescription(text, 'what its publisher presents'),
  }),
  StreamUrls: record({ publishUrl: text, playUrls: record({ hls: text }) }),
  Publisher: record({
    start: unixSeconds,
    'end?': withDescription(unixSeconds, 'unix seconds; absent while it continues'),
    'duration?': integer,
    clientIp: text,
  }),
  StreamFigures: record({
    'now?': withDescription(
      record({
        bitrate: bits,
        video: bits,
        audio: bits,
        'fps?': withDescription(number, 'as the publisher says, like all that follows'),
        'width?': integer,
        'height?': integer,
        'videoCodec?': text,
        'audioCodec?': text,
      }),
      'what comes in, as the engine measured it in the last seconds; absent if nobody publishes',
    ),
    minutes: withDescription(
      listOf(record({ at: time, bitrate: bits, video: bits, audio: bits })),
      'the mean of each minute of the last hour',
    ),
  }),
  NewTemplate: record(template),
  Template: record({ id: text, ...allRequired(template), ...times }),
  Recording: record({
    url: text,
    type: oneOf([1, 2], '1: all the time; 2: on demand'),
    start: unixSeconds,
    end: unixSeconds,
    duration: withDescription(integer, 'seconds'),
    format: withDescription(integer, '4: MP4'),
    bucket: text,
    file: withDescription(text, 'its key in the bucket'),
  }),
  Snapshot: record({
    snap: withDescription(text, 'its URL'),
    bucket: text,
    file: withDescription(text, 'its key in the bucket'),
    time: unixSeconds,
  }),
};
