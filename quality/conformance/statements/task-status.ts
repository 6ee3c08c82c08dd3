import { statements } from '../statement.ts';

/** The status record of a task and the query for it. */
export const taskStatusStatements = [
  ...statements(
    { subject: 'task-status', from: 'interface', milestone: 'processing', where: 'Endpoints 10' },
    {
      'prefop-01':
        'GET {api_url}/status/get/prefop?id=<persistentId> answers 200 with the status record as JSON',
      'prefop-02': 'The id returned by a submit is found',
      'prefop-03': 'The id returned by an upload is found',
      'prefop-04': 'No Authorization header is needed',
      'prefop-05': 'A failure body is a JSON object with `error`, a string',
      'prefop-06': 'A task of 9 days ago is found',
    },
  ),
  ...statements(
    { subject: 'task-status', from: 'interface', milestone: 'processing', where: 'Errors: Task status' },
    {
      'err-prefop-01': 'Without `id`, or with an empty one: 400',
      'err-prefop-02': 'An id that no task has: 612',
      'err-prefop-03': 'A server-side failure: 599',
    },
  ),
  ...statements(
    { subject: 'task-status', from: 'interface', milestone: 'processing', where: 'Limits' },
    {
      'err-prefop-04': 'A task of more than 10 days ago can no longer be queried',
    },
  ),
  ...statements(
    {
      subject: 'task-status',
      from: 'interface',
      milestone: 'processing',
      where: 'Resources: Task status record',
    },
    {
      'task-01': '`id` is the persistentId',
      'task-02': '`code` is a number',
      'task-03': '`code` 0 means success: all results exist',
      'task-04': '`code` 1 means waiting: seen before a worker took the task',
      'task-05': '`code` 2 means processing: seen while a command runs',
      'task-06': '`code` 3 means failed',
      'task-07': '`creationDate` is a string in ISO 8601 with fractional seconds and zone offset',
      'task-08': '`creationDate` is the time of the submission',
      'task-09': '`desc` is a string that matches the code',
      'task-10': '`inputKey` is the key of the source',
      'task-11': '`inputBucket` is the bucket of the source',
      'task-12': '`items` is an array with one entry per command',
      'task-13': '`pipeline` is the queue used',
      'task-14': '`pipeline` of a task without a queue is `0.default`',
      'task-15': '`reqid` is a string, the request id of the call that made the task',
      'task-16': '`type` is 1 on an idle-time task',
      'task-17': '`type` is absent on a normal task',
      'task-18': '`taskFrom` is absent on a task made by a call with fops',
      'task-19': '`taskFrom` is `workflow:<workflow_id>` on a task made with a workflow template',
      'task-20': '`taskFrom` is `tigger:<trigger_id>` on a task made by a trigger, spelled so',
    },
  ),
  ...statements(
    { subject: 'task-status', from: 'interface', milestone: 'processing', where: 'Resources: Item fields' },
    {
      'item-01': '`cmd` is the command that was run, as it was sent',
      'item-02': "`code` is a number with the meanings of the task's code",
      'item-03': '`desc` is a string that describes the code',
      'item-04': '`error` is the reason of a failure',
      'item-05': '`error` is the empty string on success',
      'item-06': '`errorIndex` is the zero-based index of the failed segment: 0 when the first one failed',
      'item-07': '`errorIndex` is 1 when the second segment of a pipe failed',
      'item-08': '`hash` is the hash of the result object',
      'item-09': '`key` is the key of the result object, readable there',
      'item-10': '`returnOld` is 0 by default',
      'item-11': '`returnOld` is 1 when the saveas target existed and force was not set',
    },
  ),
  ...statements(
    { subject: 'task-status', from: 'decision', milestone: 'processing', where: 'task status' },
    {
      'prefop-rule-01':
        'The id is found at the very moment it is returned, also inside the callback that carries it',
      'prefop-rule-02': 'A task is found until 10 days to the second after its submission, then 612',
      'prefop-rule-03': 'Too many queries from one address answer 573',
      'prefop-rule-04': '`id` is a JSON string',
      'prefop-rule-05': '`errorIndex` is a string and only on failed items',
      'prefop-rule-06': '`creationDate` has microseconds and `+00:00`',
      'prefop-rule-07': '`pipeline` is `0.default` or `<uid>.<name>`, and `0.default` for idle tasks',
      'prefop-rule-08':
        '`error` and `returnOld` are on every item; `hash` and `key` are absent on failed ones',
      'prefop-rule-09':
        'desc is `The fop was completed successfully`, `… is waiting for execution`, `… is executing now` or `… is failed`',
      'prefop-rule-10': '`taskFrom` `workflow:<id>` is also set for templates named in the upload policy',
    },
  ),
];
