/** Calls at the api and auth hosts: accounts, tokens, usage, processing, deliveries. */
import type { CallDocs } from './call-doc.ts';

const CHILD = { 'uid!': 'of the child' };
const PAGE = { limit: 'from 1 to 1000; default 100', marker: 'goes on after this place' };
const SENT = {
  state: 'unsent, waiting, delivered or failed',
  endpoint: 'number of an endpoint',
  since: 'ISO 8601, or unix seconds',
  until: 'ISO 8601, or unix seconds',
};

const disable = {
  summary: 'Disable a child account',
  form: { ...CHILD, 'reason!': 'for the record' },
  credential: 'key',
  answer: 'AccountRecord',
} as const;
const enable = {
  summary: 'Enable a child account',
  form: CHILD,
  credential: 'key',
  answer: 'AccountRecord',
} as const;
const submit = {
  summary: 'Submit processing of an object',
  form: {
    'bucket!': 'of the source',
    'key!': 'of the source',
    fops: 'commands, separated by ;',
    workflowTemplateID: 'or a workflow template',
    notifyURL: 'told when it has ended',
    force: '1: even where the result is there',
    type: '1: when there is nothing else to do',
    pipeline: 'queue',
  },
  answer: 'PersistentId',
} as const;

export const apiDocs: CallDocs = {
  '/v1/user/info': { summary: 'One’s own account', credential: 'key', answer: 'AccountRecord' },
  '/v1/user/children': {
    summary: 'Child accounts, by uid',
    query: { offset: 'from 0', limit: 'from 1 to 1000' },
    credential: 'key',
    answer: 'Json',
  },
  '/v1/user/create_child': {
    summary: 'Create a child account',
    form: { 'email!': 'e-mail', 'password!': 'password' },
    credential: 'key',
    answer: 'AccountRecord',
  },
  '/v1/user/disable_child': disable,
  '/v1/user/disable-child': disable,
  '/v1/user/enable_child': enable,
  '/v1/user/enable-child': enable,
  '/v1/user/child_key': {
    summary: 'Access keys of a child, with their secrets',
    query: { uid: 'of the child', email: 'or its e-mail' },
    credential: 'key',
    answer: 'Json',
  },
  '/oauth2/token': {
    summary: 'An access token, by password or refresh token',
    form: {
      'grant_type!': 'refresh_token or password',
      refresh_token: 'of the last authorization',
      username: 'e-mail',
      password: 'password',
    },
    credential: 'none',
    answer: 'TokenPair',
  },
  '/v1/usage': {
    summary: 'What an account or a bucket uses',
    query: { bucket: 'only this one', from: 'first day, YYYY-MM-DD', to: 'last day, YYYY-MM-DD' },
    answer: 'Json',
  },
  '/pfop/': submit,
  '/pfop': { ...submit, summary: 'The same without its slash: a redirect, or served, by the dialect' },
  '/status/get/prefop': {
    summary: 'How far a task is',
    query: { 'id!': 'persistentId' },
    credential: 'none',
    answer: 'TaskRecord',
  },
  '/v1/tasks': {
    summary: 'One’s own tasks, newest first',
    query: {
      ...PAGE,
      state: 'done, waiting, processing or failed',
      pipeline: 'queue',
      bucket: 'of the source',
      key: 'of the source',
      from: 'submitted from this time on',
      to: 'and before this one',
    },
    answer: 'Json',
  },
  '/v1/tasks/:id': { summary: 'One’s own task, with its progress', answer: 'TaskRecord' },
  '/v1/tasks/:id/cancel': { summary: 'Cancel a task' },
  '/v1/tasks/:id/rerun': { summary: 'Submit a task again', answer: 'PersistentId' },
  '/v1/workflows': { summary: 'Workflow templates', answer: 'Json' },
  'GET /v1/workflows/:name': { summary: 'A workflow template', answer: 'Json' },
  'PUT /v1/workflows/:name': {
    summary: 'Set a workflow template',
    json: { 'commands!': 'as in fops' },
    answer: 'Json',
  },
  'DELETE /v1/workflows/:name': { summary: 'Remove a workflow template' },
  'GET /v1/triggers': { summary: 'Triggers', answer: 'Json' },
  'POST /v1/triggers': {
    summary: 'Run a workflow template on what is uploaded',
    json: {
      'bucket!': 'name of the bucket',
      'workflow!': 'name of the template',
      prefix: 'of keys',
      suffix: 'of keys',
      notifyURL: 'told of each end',
    },
    answer: 'Json',
  },
  '/v1/triggers/:id': { summary: 'Remove a trigger' },
  '/v1/pipelines': { summary: 'Pipelines', answer: 'Json' },
  'PUT /v1/pipelines/:name': {
    summary: 'Set a pipeline',
    json: { 'concurrency!': 'tasks at a time' },
    answer: 'Json',
  },
  'DELETE /v1/pipelines/:name': { summary: 'Remove a pipeline' },
  '/v1/deliveries': {
    summary: 'Events and callbacks, newest first',
    query: { ...PAGE, ...SENT },
    answer: 'Json',
  },
  '/v1/deliveries/recover': {
    summary: 'Send again what failed',
    form: { ...SENT, 'since!': 'ISO 8601, or unix seconds' },
    answer: 'Json',
  },
  '/v1/deliveries/replay': {
    summary: 'Send everything again',
    form: { ...SENT, 'since!': 'ISO 8601, or unix seconds' },
    answer: 'Json',
  },
  '/v1/deliveries/endpoints': { summary: 'Where events go', query: PAGE, answer: 'Json' },
  '/v1/deliveries/endpoints/:endpoint/resume': {
    summary: 'Send to a suspended endpoint again',
    answer: 'Json',
  },
  '/v1/deliveries/:delivery': { summary: 'One delivery with its tries', answer: 'Json' },
  '/v1/deliveries/:delivery/resend': { summary: 'Send one again' },
  '/openapi.json': { summary: 'This document', credential: 'none', answer: 'Json' },
};
