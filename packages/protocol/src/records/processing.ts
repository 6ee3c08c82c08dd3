import { flag, integer, listOf, oneOf, record, said, text, time } from './schema.ts';
import { waitingFor } from './waiting.ts';

const code = oneOf([0, 1, 2, 3], '0 done, 1 waiting, 2 processing, 3 failed');

const taskItem = {
  cmd: said(text, 'the command'),
  code,
  desc: text,
  error: said(text, 'why it failed; empty if it did not'),
  'errorIndex?': said(text, 'index of the piped command that failed'),
  'hash?': said(text, 'of the result'),
  'key?': said(text, 'of the result'),
  'keys?': said(listOf(text), 'if there are several results: the first ones, up to a mebibyte'),
  returnOld: oneOf([0, 1], '1: an earlier result was returned'),
  'warnings?': said(
    listOf(text),
    'what to know about the result, such as tracks that its format cannot hold',
  ),
};

const stage = record({
  name: said(
    text,
    '`look` for an existing result, `fetch` of sources, `probe` of a file, `run` of a command, `store` of the result',
  ),
  begun: time,
  ms: said(integer, 'how long it took; so far, if it is the last of an item that is being processed'),
  'words?': said(text, 'which command'),
});

const task = {
  id: text,
  pipeline: said(text, 'where it was queued'),
  code,
  desc: text,
  reqid: said(text, 'of the request that submitted it'),
  inputBucket: said(text, 'of the source'),
  inputKey: text,
  creationDate: time,
  'type?': oneOf([1], '1: an idle-time task'),
  'taskFrom?': said(text, 'the workflow or trigger that submitted it'),
};

export const processingRecords = {
  Task: record({ ...task, items: listOf(record(taskItem)) }),
  OwnTask: record({
    ...task,
    percent: said(integer, 'how far it is'),
    attempts: said(integer, 'how often it was begun'),
    'waitingFor?': said(waitingFor, 'while it waits, in the record of a single task'),
    'begun?': said(time, 'when a worker took it for the first time'),
    'worker?': said(text, 'that has it, or had it last'),
    'finishDate?': time,
    items: listOf(
      record({
        ...taskItem,
        'words?': said(text, 'the last output of the engine that failed'),
        'begun?': said(time, 'in the last attempt'),
        'ended?': time,
        'stages?': said(listOf(stage), 'what it did, in order'),
      }),
    ),
  }),
  Workflow: record({
    name: text,
    commands: said(text, 'separated by `;`'),
    createdAt: time,
    updatedAt: time,
  }),
  Trigger: record({
    id: text,
    bucket: text,
    prefix: text,
    suffix: text,
    workflow: text,
    'force?': said(flag, 'its results replace existing objects; absent: they do not'),
    'notifyURL?': text,
  }),
  Pipeline: record({
    name: text,
    concurrency: said(integer, 'how many of its tasks run at a time'),
    waiting: said(integer, 'tasks that wait; of all unfinished ones, 10,000 are counted'),
    running: said(integer, 'tasks that are processed'),
    'oldest?': said(time, 'when the oldest that waits was submitted'),
  }),
};
