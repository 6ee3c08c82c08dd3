/** The queues of background work as rows, from the figures of the last hour: what waits longest comes first. */

export interface QueueRow {
  readonly name: string;
  /** Jobs that wait now. */
  readonly waiting: number;
  /** Seconds that the oldest of them has waited. */
  readonly oldest: number;
  /** The most that waited at once in the hour. */
  readonly most: number;
}

type Values = readonly (number | null)[];

const DEPTH = /^queue\.(.+)\.depth$/;

export function queueRows(series: Readonly<Record<string, Values>>): QueueRow[] {
  const rows = Object.entries(series).flatMap(([figure, depths]): QueueRow[] => {
    const name = DEPTH.exec(figure)?.[1];
    if (name === undefined) return [];
    const waiting = last(depths);
    // The age of the last job that waited is kept until the next reading; without a job it says nothing.
    const oldest = waiting === 0 ? 0 : last(series[`queue.${name}.age`] ?? []);
    return [{ name, waiting, oldest, most: Math.max(0, ...depths.map((depth) => depth ?? 0)) }];
  });
  return rows.toSorted((a, b) => b.oldest - a.oldest || b.waiting - a.waiting || (a.name < b.name ? -1 : 1));
}

/** The newest that is known; a minute that has just begun has none yet. */
function last(values: Values): number {
  return values.findLast((value) => value !== null) ?? 0;
}
