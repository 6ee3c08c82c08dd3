/** Figures over time, for operators. */
import { Fault } from '@millpond/protocol';
import { operatorOf } from '../../identity/accounts/index.ts';
import { jsonAnswer, queryFields, type Route } from '../../platform/web/index.ts';
import type { FiguresOverTime } from './figures.service.ts';

const MOST_NAMES = 100;

export function figuresRoutes(figures: FiguresOverTime): Route[] {
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/operator/figures',
      async handle(call) {
        operatorOf(call);
        const query = queryFields(call);
        return jsonAnswer(
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
  if (names.length > MOST_NAMES) throw refused(`names: at most ${MOST_NAMES}`);
  return names;
}

function wholeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw refused(`${name} must be a whole number of seconds`);
  return Number(text);
}

function refused(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
