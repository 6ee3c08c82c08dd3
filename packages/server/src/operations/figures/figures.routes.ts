/** Figures over time, for operators. */
import { Fault } from '@millpond/protocol';
import { operatorOf } from '../../identity/accounts/index.ts';
import { jsonResponse, queryFields, type Route } from '../../platform/web/index.ts';
import type { MetricsHistory } from './figures.service.ts';

const MAX_NAMES = 100;

export function figuresRoutes(figures: MetricsHistory): Route[] {
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/operator/figures',
      async handle(context) {
        operatorOf(context);
        const query = queryFields(context);
        return jsonResponse(
          await figures.read({
            from: wholeOf(query, 'from'),
            to: wholeOf(query, 'to'),
            step: wholeOf(query, 'step'),
            names: namesOf(query.get('names')),
          }),
        );
      },
    },
  ];
}

function namesOf(text: string | null): string[] | undefined {
  if (text === null || text === '') return undefined;
  const names = [...new Set(text.split(','))];
  if (names.length > MAX_NAMES) throw invalidQuery(`names: at most ${MAX_NAMES}`);
  return names;
}

function wholeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw invalidQuery(`${name} must be a whole number of seconds`);
  return Number(text);
}

function invalidQuery(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
