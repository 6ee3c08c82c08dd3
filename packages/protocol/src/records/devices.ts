import { all, flag, integer, oneOf, record, said, text, unixSeconds } from './schema.ts';

const device = {
  'gbId?': said(text, '20 digits; absent: the server assigns one'),
  'name?': text,
  'desc?': text,
  'type?': oneOf([1, 2], '1: a camera; 2: a platform'),
  'username?': text,
};

export const deviceRecords = {
  NewDevice: record({ password: text, ...device }),
  Device: record({
    ...all(device),
    nsId: text,
    nsName: text,
    pullIfRegister: flag,
    state: oneOf(['online', 'offline', 'notReg']),
    channels: said(integer, 'how many it has'),
    media: record({
      wanted: said(integer, 'how many of its channels are wanted'),
      running: said(integer, 'how many of them have video'),
      reason: said(text, 'why not all of them do'),
    }),
    vendor: said(text, 'what it calls itself'),
    createdAt: unixSeconds,
    updatedAt: unixSeconds,
    lastRegisterAt: said(unixSeconds, 'unix seconds; 0: never'),
    lastKeepaliveAt: said(unixSeconds, 'unix seconds; 0: never'),
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
      reason: said(text, 'why there is no video'),
      streamId: said(text, 'the stream of its video'),
    }),
  }),
};
