/** How far back the figures go, and in which steps they are drawn. */

export type Range = '1h' | '6h' | '24h' | '7d' | '30d';

const HOUR = 3600;

/** About as many points as a chart has pixels to spare. */
export const RANGES: Readonly<Record<Range, { readonly seconds: number; readonly step: number }>> = {
  '1h': { seconds: HOUR, step: 60 },
  '6h': { seconds: 6 * HOUR, step: 120 },
  '24h': { seconds: 24 * HOUR, step: 600 },
  '7d': { seconds: 7 * 24 * HOUR, step: HOUR },
  '30d': { seconds: 30 * 24 * HOUR, step: 4 * HOUR },
};

export function rangeOf(text: unknown): Range | undefined {
  return typeof text === 'string' && Object.hasOwn(RANGES, text) ? (text as Range) : undefined;
}
