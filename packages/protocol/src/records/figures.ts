import { integer, listOf, mapOf, nullable, number, record, said, unixSeconds } from './schema.ts';

export const figureRecords = {
  Figures: record({
    from: unixSeconds,
    to: unixSeconds,
    step: said(integer, 'seconds from one value to the next; longer than asked for where only that is kept'),
    series: said(
      mapOf(listOf(nullable(number))),
      'by name, one value for each step from `from` on; null: nothing is known of that time',
    ),
  }),
};
