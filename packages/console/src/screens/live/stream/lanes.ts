/** A day of a stream as lanes: where things stand in it, and what of its recordings lies within a part of it. Times are unix seconds. */
import type { PublishRecord, RecordingRecord } from '@millpond/client/session';

export const DAY = 86_400;

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Bar {
  /** Per cent of the day. */
  readonly left: number;
  readonly width: number;
}

/** Undefined if none of it is in the day. */
export function barOf({ from, to }: Span, day: Span): Bar | undefined {
  const [begin, end] = [Math.max(from, day.from), Math.min(to, day.to)];
  if (end < begin || to < day.from || from > day.to) return undefined;
  const left = shareOf(begin, day);
  return { left, width: Math.max(0.15, shareOf(end, day) - left) };
}

export function shareOf(at: number, day: Span): number {
  return (100 * (at - day.from)) / (day.to - day.from);
}

/** The second that a share of the day, from 0 to 1, stands for. */
export function atShare(share: number, day: Span): number {
  const within = Math.min(1, Math.max(0, share));
  return Math.round(day.from + within * (day.to - day.from));
}

/** Every fourth hour, by a clock that says the hour of a second. */
export function ticksOf(day: Span, hourAt: (second: number) => number): number[] {
  const first = Math.ceil(day.from / 1800) * 1800;
  const steps = Math.floor((day.to - first) / 1800) + 1;
  const halves = Array.from({ length: Math.max(0, steps) }, (_, at) => first + at * 1800);
  return halves.filter((at) => hourAt(at) % 4 === 0 && hourAt(at - 1) % 4 === 3);
}

export interface RecordingClip {
  readonly recording: RecordingRecord;
  /** Seconds from the recording's own beginning. */
  readonly begin: number;
  readonly end: number;
}

/** What was recorded within a time, in its order. What is recorded twice at a time plays once. */
export function partsOf(recordings: readonly RecordingRecord[], { from, to }: Span): RecordingClip[] {
  let reached = from;
  return recordings
    .toSorted((one, other) => one.start - other.start)
    .flatMap((recording): RecordingClip[] => {
      const [begin, end] = [Math.max(recording.start, reached), Math.min(recording.end, to)];
      if (end <= begin) return [];
      reached = end;
      return [{ recording, begin: begin - recording.start, end: end - recording.start }];
    });
}

export function secondsOf(parts: readonly RecordingClip[]): number {
  return parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
}

export type StreamEvent =
  | { readonly kind: 'connected'; readonly at: number; readonly address: string }
  | { readonly kind: 'gone'; readonly at: number; readonly address: string; readonly seconds: number }
  | { readonly kind: 'recorded'; readonly at: number; readonly recording: RecordingRecord };

/** Newest first. */
export function eventsOf(
  publishers: readonly PublishRecord[],
  recordings: readonly RecordingRecord[],
): StreamEvent[] {
  const events: StreamEvent[] = [
    ...publishers.flatMap(({ start, end, clientIp: address }): StreamEvent[] => [
      { kind: 'connected', at: start, address },
      ...(end === undefined ? [] : [{ kind: 'gone', at: end, address, seconds: end - start } as const]),
    ]),
    ...recordings.map((recording) => ({ kind: 'recorded', at: recording.end, recording }) as const),
  ];
  return events.toSorted((one, other) => other.at - one.at);
}
