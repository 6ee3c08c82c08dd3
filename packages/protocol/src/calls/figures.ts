import { ref } from '../records/index.ts';
import { integer } from '../records/schema.ts';
import { answers, group, limit, marker, may, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const account = group('Overview', 'api', 'management or token');
const operator = group('Operators', 'api', 'operator session');

export const figureCalls: readonly CallDescription[] = [
  account(
    'overview',
    'GET /v1/overview',
    'What is stored and under way: buckets, tasks, deliveries, restores, streams, requests by day. For an operator’s session that names no account, all accounts together',
    { answer: answers(ref('Overview')) },
  ),
  account(
    'failures',
    'GET /v1/failures',
    'Tasks, deliveries, fetches and bulk work that failed in the last 30 days, newest first, each with its cause. What succeeds later is no longer listed',
    { query: [marker, limit(200)], answer: pageOf('Failure') },
  ),
  operator(
    'operatorHealth',
    'GET /v1/operator/health',
    'How gateways, workers and engines are, for operators',
    {
      answer: answers(ref('Health')),
    },
  ),
  operator(
    'operatorFigures',
    'GET /v1/operator/figures',
    'Figures of the region over time, for operators: requests, errors, latency, traffic, queues, what is stored',
    {
      query: [
        may('from', 'first second, unix time (an hour ago); at most 30 days ago', integer),
        may('to', 'last second (now)', integer),
        may('step', 'seconds between two values, a multiple of 60', integer),
        may('names', 'figures by [name](../metrics.md#figures-over-time), separated by commas (all)'),
      ],
      answer: answers(ref('Figures')),
    },
  ),
];
