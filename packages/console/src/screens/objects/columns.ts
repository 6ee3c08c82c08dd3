/** What a list shows of each object, and can be sorted by. */
export const COLUMNS = ['name', 'size', 'class', 'at'] as const;
export type Column = (typeof COLUMNS)[number];
