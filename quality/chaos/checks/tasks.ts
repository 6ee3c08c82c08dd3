/**
 * Whether tasks kept their promises: each ends once, its result is whole, its end is reported once, and reruns begin
 * soon. Pure.
 */
import type { Findings } from '../report.ts';

export interface EndedTask {
  readonly id: string;
  /** As returned by the status query, at two moments. */
  readonly records: readonly [string, string];
  readonly code: number;
  /** What is wrong with its results, if anything is. */
  readonly flaw: string | undefined;
  /** Seconds from the kill to the next run, if it was killed. */
  readonly rerunAfter: number | undefined;
}

export interface ReportedTask {
  readonly deliveryId: string;
  readonly taskId: string;
  readonly body: string;
}

/** A silent worker is noticed after 10 s, by a check every 2 s. */
const RERUN_WITHIN_SECONDS = 20;

export function checkTasks(
  ended: readonly EndedTask[],
  told: readonly ReportedTask[],
  findings: Findings,
): void {
  for (const { id, code, records, flaw, rerunAfter } of ended) {
    if (code !== 0 && code !== 3) findings.add('lost', `${id} has not ended: ${records[1]}`);
    if (records[0] !== records[1]) findings.add('duplicated', `${id} ended twice, with different results`);
    if (flaw !== undefined) findings.add('torn', `${id}: ${flaw}`);
    if (rerunAfter !== undefined && rerunAfter > RERUN_WITHIN_SECONDS)
      findings.add('stale', `${id} was run again only after ${rerunAfter.toFixed(1)} s`);
    const notices = told.filter(({ taskId }) => taskId === id);
    if (notices.length === 0) findings.add('lost', `the end of ${id} was not reported`);
    if (new Set(notices.map(({ deliveryId }) => deliveryId)).size > 1)
      findings.add('duplicated', `the end of ${id} was reported in two notifications`);
    if (notices.some(({ body }) => body !== records[1]))
      findings.add('torn', `${id} was reported differently`);
  }
  const known = new Set(ended.map(({ id }) => id));
  for (const { taskId } of told)
    if (!known.has(taskId)) findings.add('uncommitted', `${taskId} is not a task`);
}
