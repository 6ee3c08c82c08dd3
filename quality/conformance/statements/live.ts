import { statements } from '../statement.ts';

/** Live-stream status callbacks and the resources behind them. */
export const liveStatements = [
  ...statements(
    { subject: 'live', from: 'interface', milestone: 'live', where: 'Events: Live-stream status callbacks' },
    {
      'live-01': 'An event is delivered to the configured status-callback URL',
      'live-02': 'An event is JSON in an HTTP POST',
      'live-03': 'Every event has `type`, a string',
      'live-04': 'Every event has `nsId`, a string: the id of the space',
      'live-05': 'Every event has `timeSec`, an integer of 10 digits',
      'live-06': 'Every event has `reqId`, a string that no other event has',
      'live-07': 'Without a configured URL nothing is sent',
      'live-stream-01': 'A stream that begins gives `type` stream with `streamState` 1',
      'live-stream-02': 'A stream that ends gives `type` stream with `streamState` 0',
      'live-stream-03': '`streamId` of a stream event is a string: the id of the stream',
      'live-stream-04': '`streamState` is a JSON integer',
      'live-device-01': 'A device that registers gives `type` device with `deviceState` online',
      'live-device-02': 'A device that goes gives `type` device with `deviceState` offline',
      'live-device-03': '`gbid` of a device event is a string: the national-standard id',
      'live-device-04': '`chGbid` of a device event is a string: the id of the channel',
      'live-device-05': '`deviceState` is a JSON string',
      'live-record-01': 'A finished recording gives `type` record with `streamId`, a string',
      'live-record-02': '`start` and `end` of a record event are integers, start before end',
      'live-record-03': '`duration` of a record event is an integer',
      'live-record-04': '`fname` of a record event is a string: the file, found under that name',
      'live-record-05': '`recordType` is 1 for a real-time recording',
      'live-record-06': '`recordType` is 2 for a recording on demand',
      'live-record-07': '`code` of a record event is an integer, 0 on success',
      'live-record-08': '`code` of a record event is 3 when the recording failed',
      'live-record-09': '`errmsg` of a record event is a string; on failure it says why',
      'live-record-10':
        'Where told, `code` of a record event is 1 while it waits and 2 while it is processed',
      'live-snap-01': 'A snapshot gives `type` snap with `streamId`, a string',
      'live-snap-02': '`fname` of a snap event is a string: the image, found under that name',
      'live-snap-03': '`code` of a snap event is an integer, 0 on success',
      'live-snap-04': '`code` of a snap event is 3 when the snapshot failed',
      'live-snap-05': '`errmsg` of a snap event is a string; on failure it says why',
      'live-snap-06': 'Where told, `code` of a snap event is 1 while it waits and 2 while it is processed',
    },
  ),
  ...statements(
    { subject: 'live', from: 'decision', milestone: 'live', where: 'live events' },
    {
      'live-rule-01': '`start` and `end` are unix seconds, `duration` is seconds',
      'live-rule-02': '`timeSec` is the time of the change, also when the event is told later',
      'live-rule-03': '`reqId` is the id of the event: the same on every try',
      'live-rule-04': '`errmsg` is the empty string on success',
      'live-rule-05': 'Record and snap events are told at code 0 or 3; a setting adds 1 and 2',
      'live-rule-06':
        'Device events come one per channel, and one with an empty `chGbid` for the device itself',
      'live-rule-07':
        "Online is told at once; a stream's offline after the delay of its namespace (default 5 s)",
      'live-rule-08': 'A stream that is back within the delay gives no offline event',
      'live-rule-09':
        'A device is offline at the end of its registration or after 3 missed heartbeats, whichever is first',
      'live-rule-10':
        'After our own restart nobody goes offline before the delay or 3 heartbeats have passed',
      'live-rule-11': 'Events of one stream or channel arrive in order: online and offline alternate',
      'live-rule-12':
        'A second live process takes over when the owner of an engine or SIP port dies, and never works beside it',
    },
  ),
  ...statements(
    { subject: 'live', from: 'decision', milestone: 'live', where: 'live resources' },
    {
      'live-ns-01':
        'Namespaces are made, read, changed, listed and deleted under {live_url}/v1/namespaces with `Svc` credentials',
      'live-ns-02': 'Streams are made, listed, disabled and kicked; a disabled stream cannot publish',
      'live-ns-03': 'Publishing without a valid stream key is refused, also when our server is away',
      'live-ns-04': 'Devices and channels are listed with their state',
      'live-ns-05':
        'A recording lands in the bucket of its template, plays, and lasts as long as what was sent',
      'live-ns-06': 'A playback list for a time range answers the recorded segments of it',
      'live-ns-07': 'A snapshot on demand and by interval lands in the bucket of its template',
      'live-ns-08': 'Play URLs (HLS) with a token play; without it they answer 401',
      'live-start-01':
        'A stream that is online and has no playlist yet is `starting`, in its record, in lists and by command; its playlist answers 404 with the hint `the stream is online, starting`',
      'live-start-02': 'With its first segment it is starting no more',
      'live-device-07':
        'A device may have the id and user name of a device of another account: no answer differs by it, and its password says which of them registers',
      'live-device-06':
        'Deleting a device ends the streams that its `start` made: they are told to be offline, and keep its namespace from being deleted no more',
    },
  ),
];
