/** Figures of the region over time. */
export { createMetricValues, type FiguresFeature } from './figures.create.ts';
export type { ProcessRow } from './figures.store.ts';
export type { FiguresWriter } from './writer.ts';
