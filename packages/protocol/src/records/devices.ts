import { allRequired, flag, integer, oneOf, record, text, unixSeconds, withDescription } from './schema.ts';

const device = {
  'gbId?': withDescription(text, '20 digits; absent: the server assigns one'),
  'name?': text,
  'desc?': text,
  'type?': oneOf([1, 2], '1: a camera; 2: a platform'),
  'username?': text,
};

export const deviceRecords = {
  NewDevice: record({ password: text, ...device }),
  Device: record({
    ...allRequired(device),
    nsId: text,
    nsName: text,
    pullIfRegister: flag,
    state: oneOf(['online', 'offline', 'notReg']),
    channels: withDescription(integer, 'how many it has'),
    media: record({
      wanted: withDescription(integer, 'how many of its channels are wanted'),
      running: withDescription(integer, 'how many of them have video'),
      reason: withDescription(text, 'why not all of them do'),
    }),
    vendor: withDescription(text, 'what it calls itself'),
    createdAt: unixSeconds,
    updatedAt: unixSeconds,
    lastRegisterAt: withDescription(unixSeconds, 'unix seconds; 0: never'),
    lastKeepaliveAt: withDescription(unixSeconds, 'unix seconds; 0: never'),
  }),
  Channel: record({
    gbId: text,
    name: text,
    state: oneOf(['online', 'offline']),
    vendor: text,
    lastSyncAt: unixSeconds,
    media: record({
      wanted: flag,
      state: oneOf(['', 'waiting', 'inviting', 'running', 'failed'], 'empty if it is not wanted'),
      reason: withDescription(text, 'why there is no video'),
      streamId: withDescription(text, 'the stream of its video'),
    }),
  }),
};
