import { ref } from '../records/index.ts';
import { flag, integer, record, text, withDescription } from '../records/schema.ts';
import { answers, form, group, json, limit, marker, may, needed, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const task = group('Processing', 'api', 'management or token');
const style = group('Images by URL', 'api', 'management or token');
const delivery = group('Deliveries', 'api', 'management or token');

const missing = { 612: 'there is nothing with that id' };
const workflow = '/v1/workflows/{name}';
const pipeline = '/v1/pipelines/{name}';
const styles = '/v1/buckets/{bucket}/styles';
const range = [
  needed('since', 'ISO 8601 or unix seconds'),
  may('until', 'ISO 8601 or unix seconds'),
  may('endpoint', 'only of this endpoint'),
  marker,
];
const resent = answers(record({ count: integer, 'marker?': text }));

const submitted = {
  body: form(
    needed('bucket', 'bucket of the source'),
    needed('key', 'key of the source'),
    may('fops', 'commands, separated by `;`'),
    may('workflowTemplateID', 'name of a workflow template, instead of `fops`'),
    may('notifyURL', 'URL that is notified when it ends'),
    may('pipeline', 'name of a pipeline; `0.default` is the shared queue'),
    may('force', '1: replaces earlier results', integer),
    may('type', '1: an idle-time task', integer),
  ),
  answer: answers(record({ persistentId: text })),
};

export const processingCalls: readonly CallDescription[] = [
  task('submitTask', 'POST /pfop/', 'Submits a persistent task', submitted),
  task('submitTaskOld', 'POST /pfop', 'Redirects to `/pfop/`; some SDKs call it this way', submitted),
  group('Processing', 'api', 'none')('taskState', 'GET /status/get/prefop', 'The state of a task', {
    query: [needed('id', 'its persistentId')],
    answer: answers(ref('Task')),
    faults: missing,
  }),
  task('tasks', 'GET /v1/tasks', 'Tasks of the account, newest first', {
    query: [
      may('state', '`done`, `waiting`, `processing` or `failed`'),
      may('pipeline', 'only of this pipeline'),
      may('bucket', 'only of this bucket'),
      may('key', 'only of this source'),
      may('from', 'from this time on, ISO 8601 or unix seconds'),
      may('to', 'up to this time'),
      limit(1000),
      marker,
    ],
    answer: pageOf('OwnTask'),
  }),
  task('task', 'GET /v1/tasks/{id}', 'One task, with the output of its engines', {
    answer: answers(ref('OwnTask')),
    faults: missing,
  }),
  task('cancelTask', 'POST /v1/tasks/{id}/cancel', 'Cancels a task that has not ended', { faults: missing }),
  task('rerunTask', 'POST /v1/tasks/{id}/rerun', 'Submits a finished task again', {
    answer: answers(record({ persistentId: text })),
    faults: missing,
  }),
  task('workflows', 'GET /v1/workflows', 'Workflow templates, by name', {
    query: [limit(100), marker],
    answer: pageOf('Workflow'),
  }),
  task('workflow', `GET ${workflow}`, 'One template', { answer: answers(ref('Workflow')), faults: missing }),
  task('putWorkflow', `PUT ${workflow}`, 'Creates or replaces a template', {
    body: json(record({ commands: text })),
    answer: answers(ref('Workflow')),
  }),
  task('removeWorkflow', `DELETE ${workflow}`, 'Removes a template', { faults: missing }),
  task('triggers', 'GET /v1/triggers', 'Which uploads start which template', { answer: pageOf('Trigger') }),
  task('addTrigger', 'POST /v1/triggers', 'Creates a trigger: uploads whose key matches start a template', {
    body: json(
      record({
        bucket: text,
        workflow: text,
        'prefix?': text,
        'suffix?': text,
        'force?': withDescription(flag, 'results replace existing objects'),
        'notifyURL?': text,
      }),
    ),
    answer: answers(ref('Trigger')),
  }),
  task('removeTrigger', 'DELETE /v1/triggers/{id}', 'Removes a trigger', { faults: missing }),
  task('pipelines', 'GET /v1/pipelines', 'Pipelines of the account', { answer: pageOf('Pipeline') }),
  task('putPipeline', `PUT ${pipeline}`, 'Creates or changes a pipeline', {
    body: json(record({ concurrency: integer })),
    answer: answers(ref('Pipeline')),
  }),
  task('removePipeline', `DELETE ${pipeline}`, 'Removes a pipeline', { faults: missing }),

  style('styles', `GET ${styles}`, 'Styles of a bucket, and which commands it allows', {
    answer: answers(ref('Styles')),
  }),
  style('setStyleRules', `PUT ${styles}`, 'Sets the separator, and which commands are allowed', {
    body: json(record({ 'separator?': text, 'allow?': text })),
    answer: answers(ref('Styles')),
  }),
  style('putStyle', `PUT ${styles}/{name}`, 'Creates or replaces a style', {
    body: json(record({ command: text })),
    answer: answers(record({ name: text, command: text })),
  }),
  style('removeStyle', `DELETE ${styles}/{name}`, 'Removes a style', { faults: missing }),

  delivery('deliveries', 'GET /v1/deliveries', 'Events and upload callbacks of the account', {
    query: [
      may('state', '`unsent`, `waiting`, `delivered` or `failed`'),
      may('endpoint', 'only of this endpoint'),
      may('since', 'ISO 8601 or unix seconds'),
      may('until', 'ISO 8601 or unix seconds'),
      limit(1000),
      marker,
    ],
    answer: pageOf('Delivery'),
  }),
  delivery('delivery', 'GET /v1/deliveries/{delivery}', 'One delivery with its attempts', {
    answer: answers(ref('DeliveryWithAttempts')),
    faults: missing,
  }),
  delivery('resendDelivery', 'POST /v1/deliveries/{delivery}/resend', 'Sends one delivery again', {
    faults: missing,
  }),
  delivery('recoverDeliveries', 'POST /v1/deliveries/recover', 'Resends what failed since a given time', {
    body: form(...range),
    answer: resent,
  }),
  delivery('replayDeliveries', 'POST /v1/deliveries/replay', 'Resends everything from a period', {
    body: form(...range),
    answer: resent,
  }),
  delivery('endpoints', 'GET /v1/deliveries/endpoints', 'Endpoints and their state', {
    query: [limit(1000), marker],
    answer: pageOf('Endpoint'),
  }),
  delivery(
    'resumeEndpoint',
    'POST /v1/deliveries/endpoints/{endpoint}/resume',
    'Sends to a suspended endpoint again',
    {
      answer: answers(ref('Endpoint')),
      faults: missing,
    },
  ),
  delivery(
    'testEndpoint',
    'POST /v1/deliveries/endpoints/{endpoint}/test',
    'Sends a test event, once, whatever state the endpoint is in',
    {
      answer: answers(record({ id: withDescription(text, 'of the delivery') })),
      faults: missing,
    },
  ),
];
