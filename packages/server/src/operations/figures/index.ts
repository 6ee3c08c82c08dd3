/** Figures of the region over time. */
export { createFigures, type FiguresFeature } from './figures.create.ts';
export type { ProcessRow } from './figures.store.ts';
export type { FiguresWriter } from './writer.ts';
