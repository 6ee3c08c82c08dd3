/** Whether a long run stayed what it was: figures of its last third beside those of its first. Pure. */

/** One minute of it. */
export interface Minute {
  /** The 99th percentile of requests that no fault touched, in milliseconds; undefined if there were too few. */
  readonly p99Ms?: number | undefined;
  /** What a fixed piece of work took: machines with neighbours are not always equally fast. */
  readonly machineMs: number;
  /** Resident bytes of processes that were never restarted, by name. */
  readonly memory: Readonly<Record<string, number>>;
  /** Size of all tables with their indexes, except those whose rows are kept for a set time. */
  readonly tableBytes: number;
  /** Objects in the engine, or files on the disk. */
  readonly blobs: number;
}

/** How much a figure has grown: 0.05 is 5 %. */
export interface Drift {
  /** Measured by what the machine was able to do. */
  readonly p99: number | undefined;
  /** More: the machine was slower in the end. */
  readonly machine: number | undefined;
  readonly memory: Readonly<Record<string, number>>;
  readonly tables: number;
  readonly blobs: number;
}

/** In the first minutes caches fill and code is compiled. */
const WARM_SHARE = 0.1;

export function driftOf(minutes: readonly Minute[]): Drift {
  const warm = minutes.slice(Math.ceil(minutes.length * WARM_SHARE));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [first, last] = [warm.slice(0, third), warm.slice(-third)];
  const growth = (figure: (minute: Minute) => number | undefined): number | undefined => {
    const [before, after] = [first, last].map((some) => median(some.flatMap((each) => figure(each) ?? [])));
    return before === undefined || after === undefined || before === 0 ? undefined : after / before - 1;
  };
  const names = Object.keys(minutes[0]?.memory ?? {});
  return {
    p99: growth(({ p99Ms, machineMs }) => (p99Ms === undefined ? undefined : p99Ms / machineMs)),
    machine: growth(({ machineMs }) => machineMs),
    memory: Object.fromEntries(names.map((name) => [name, growth(({ memory }) => memory[name]) ?? 0])),
    tables: growth(({ tableBytes }) => tableBytes) ?? 0,
    blobs: growth(({ blobs }) => blobs) ?? 0,
  };
}

export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function median(values: readonly number[]): number | undefined {
  return percentile(values, 0.5);
}
