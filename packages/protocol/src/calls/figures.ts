import { ref } from '../records/index.ts';
import { integer } from '../records/schema.ts';
import type { CallDescription } from './call.ts';
import { answers, group, may } from './forms.ts';

const operator = group('Operators', 'api', 'operator session');

export const figureCalls: readonly CallDescription[] = [
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
