/** Figures of the region over time. */
export { createFigures, type FiguresFeature } from './create.ts';
export type { FiguresWriter } from './writer.ts';
