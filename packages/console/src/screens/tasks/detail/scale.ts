/** The axis of a timeline: from when to when, where a moment lies on it, and which moments are marked. */
import type { OwnTaskRecord } from '@millpond/client/session';

export interface TimeAxis {
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The wait was so long that the axis begins after it. */
  readonly isCut: boolean;
}

type Timed = Pick<OwnTaskRecord, 'creationDate' | 'begun' | 'finishDate' | 'code'> & {
  readonly items: readonly { readonly begun?: string | undefined; readonly ended?: string | undefined }[];
};

const LEAST_MS = 10;
/** Share of the axis before the begin, if the wait is cut. */
const MARGIN = 0.06;

/** A wait that is longer than the work would squeeze the work: the axis then begins shortly before it. */
export function scaleOf(task: Timed, now: number): TimeAxis {
  const created = Date.parse(task.creationDate);
  const begun = beginOf(task);
  const end = Math.max(endOf(task, now), created + LEAST_MS);
  if (begun === undefined) return { from: created, to: end, isCut: false };
  const worked = Math.max(end - begun, LEAST_MS);
  const isCut = begun - created > worked / 2;
  const from = isCut ? begun - worked * MARGIN : created;
  return { from, to: Math.max(end, from + LEAST_MS), isCut };
}

/** When work began: the task's own begin, or that of its first item. */
export function beginOf({ begun, items }: Timed): number | undefined {
  if (begun !== undefined) return Date.parse(begun);
  const times = items.flatMap((item) => (item.begun === undefined ? [] : [Date.parse(item.begun)]));
  return times.length === 0 ? undefined : Math.min(...times);
}

function endOf({ finishDate, items, code }: Timed, now: number): number {
  if (code === 1 || code === 2) return now;
  const ends = items.flatMap(({ ended }) => (ended === undefined ? [] : [Date.parse(ended)]));
  return Math.max(...ends, finishDate === undefined ? 0 : Date.parse(finishDate));
}

/** 0 to 1. */
export function placeOf({ from, to }: TimeAxis, moment: number): number {
  return Math.min(1, Math.max(0, (moment - from) / (to - from)));
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];

/** Round moments, at most so many. */
export function ticksOf(
  { from, to }: TimeAxis,
  most: number,
): { readonly step: number; readonly at: readonly number[] } {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? (to - from) / most;
  const at: number[] = [];
  for (let moment = Math.ceil(from / step) * step; moment <= to && at.length < most; moment += step)
    at.push(moment);
  return { step, at };
}
