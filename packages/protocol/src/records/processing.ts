import { integer, listOf, oneOf, record, said, text, time } from './schema.ts';

const code = oneOf([0, 1, 2, 3], '0 done, 1 waiting, 2 processing, 3 failed');

const taskItem = {
  cmd: text,
  code,
  desc: text,
  error: text,
  'errorIndex?': said(text, 'index of the piped command that failed'),
  'hash?': text,
  'key?': text,
  'keys?': said(listOf(text), 'if there are several results: the first ones, up to a mebibyte'),
  returnOld: oneOf([0, 1], '1: an earlier result was returned'),
};

const task = {
  id: text,
  pipeline: text,
  code,
  desc: text,
  reqid: text,
  inputBucket: text,
  inputKey: text,
  creationDate: time,
  'type?': oneOf([1], '1: an idle-time task'),
  'taskFrom?': text,
};

export const processingRecords = {
  Task: record({ ...task, items: listOf(record(taskItem)) }),
  OwnTask: record({
    ...task,
    percent: integer,
    attempts: integer,
    'finishDate?': time,
    items: listOf(record({ ...taskItem, 'words?': said(text, 'the last output of the engine that failed') })),
  }),
  Workflow: record({ name: text, commands: text, createdAt: time, updatedAt: time }),
  Trigger: record({ id: text, bucket: text, prefix: text, suffix: text, workflow: text, 'notifyURL?': text }),
  Pipeline: record({ name: text, concurrency: integer }),
};
