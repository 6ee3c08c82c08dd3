/** Figures of the region over time. */
export { createFigures, type FiguresFeature } from './create.ts';
export type { ProcessRow } from './store.ts';
export type { FiguresWriter } from './writer.ts';
