import { flag, integer, listOf, oneOf, record, text, time, withDescription } from './schema.ts';
import { waitingFor } from './waiting.ts';

const code = oneOf([0, 1, 2, 3], '0 done, 1 waiting, 2 processing, 3 failed');

const taskItem = {
  cmd: withDescription(text, 'the command'),
  code,
  desc: text,
  error: withDescription(text, 'why it failed; empty if it did not'),
  'errorIndex?': withDescription(text, 'index of the piped command that failed'),
  'hash?': withDescription(text, 'of the result'),
  'key?': withDescription(text, 'of the result'),
  'keys?': withDescription(listOf(text), 'if there are several results: the first ones, up to a mebibyte'),
  returnOld: oneOf([0, 1], '1: an earlier result was returned'),
  'warnings?': withDescription(
    listOf(text),
    'what to know about the result, such as tracks that its format cannot hold',
  ),
};

const stage = record({
  name: withDescription(
    text,
    '`look` for an existing result, `fetch` of sources, `probe` of a file, `run` of a command, `store` of the result',
  ),
  begun: time,
  ms: withDescription(
    integer,
    'how long it took; so far, if it is the last of an item that is being processed',
  ),
  'words?': withDescription(text, 'which command'),
});

const task = {
  id: text,
  pipeline: withDescription(text, 'where it was queued'),
  code,
  desc: text,
  reqid: withDescription(text, 'of the request that submitted it'),
  inputBucket: withDescription(text, 'of the source'),
  inputKey: text,
  creationDate: time,
  'type?': oneOf([1], '1: an idle-time task'),
  'taskFrom?': withDescription(text, 'the workflow or trigger that submitted it'),
};

export const processingRecords = {
  Task: record({ ...task, items: listOf(record(taskItem)) }),
  OwnTask: record({
    ...task,
    percent: withDescription(integer, 'how far it is'),
    attempts: withDescription(integer, 'how often it was begun'),
    'waitingFor?': withDescription(waitingFor, 'while it waits, in the record of a single task'),
    'begun?': withDescription(time, 'when a worker took it for the first time'),
    'worker?': withDescription(text, 'that has it, or had it last'),
    'finishDate?': time,
    items: listOf(
      record({
        ...taskItem,
        'words?': withDescription(text, 'the last output of the engine that failed'),
        'begun?': withDescription(time, 'in the last attempt'),
        'ended?': time,
        'stages?': withDescription(listOf(stage), 'what it did, in order'),
      }),
    ),
  }),
  Workflow: record({
    name: text,
    commands: withDescription(text, 'separated by `;`'),
    createdAt: time,
    updatedAt: time,
  }),
  Trigger: record({
    id: text,
    bucket: text,
    prefix: text,
    suffix: text,
    workflow: text,
    'force?': withDescription(flag, 'its results replace existing objects; absent: they do not'),
    'notifyURL?': text,
  }),
  Pipeline: record({
    name: text,
    concurrency: withDescription(integer, 'how many of its tasks run at a time'),
    waiting: withDescription(integer, 'tasks that wait; of all unfinished ones, 10,000 are counted'),
    running: withDescription(integer, 'tasks that are processed'),
    'oldest?': withDescription(time, 'when the oldest that waits was submitted'),
  }),
};
