/** How the job of something stands in its queue, for those who ask what it waits for. */
import { queryUnprepared, type SqlClient } from './statements.ts';

export interface Standing {
  readonly queue: string;
  readonly state: 'ready' | 'delayed' | 'retry' | 'active' | 'failed';
  /** When it is due again, if it has a time. */
  readonly until: Date | null;
  /** Reason of its last failure. */
  readonly reason: string | null;
  /** Jobs whose turn comes before, up to MAX_COUNTED; of these, those of its own account. */
  readonly ahead: number;
  readonly aheadOwn: number;
}

export const MAX_AHEAD = 1000;

const STANDING = `
SELECT j.queue, j.state, j.until, j.reason, coalesce(b.ahead, 0)::int AS ahead, coalesce(b.own, 0)::int AS "aheadOwn"
FROM queue.jobs j LEFT JOIN LATERAL (
  SELECT count(*) AS ahead, count(*) FILTER (WHERE before.account = j.account) AS own
  FROM (SELECT account FROM queue.jobs o WHERE o.queue = j.queue AND o.state = 'ready' AND o.tag < j.tag ORDER BY o.tag LIMIT ${MAX_AHEAD}) AS before
) AS b ON j.state = 'ready'
WHERE coalesce(j.data ->> 'taskId', j.data ->> 'fetchId') = $1 AND j.data ?| '{taskId,fetchId}' LIMIT 1`;

/** Queue position of a task or a fetch, by its id; undefined if it has no job. */
export async function standingOf(client: SqlClient, subject: string): Promise<Standing | undefined> {
  return (await queryUnprepared<Standing>(client, STANDING, [subject]))[0];
}

/** For people: how many come first, and how many of them are of the same account. */
export function aheadText(ahead: number, aheadOwn?: number): string {
  if (ahead === 0) return 'it is the next';
  const many = ahead === MAX_AHEAD ? `${MAX_AHEAD} or more are before it` : `${ahead} before it`;
  return aheadOwn === undefined ? many : `${many}, ${aheadOwn} of them of this account`;
}
