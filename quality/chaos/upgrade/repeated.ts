/** A request that a client sends once more, to another gateway, if it failed: this must be enough during an upgrade. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import type { Gateways } from '../load/gateways.ts';
import type { Findings } from '../report.ts';
import type { ServedAttempt } from './not-vacuous.ts';

const RETRY_MS = 300;

export interface Reply {
  readonly isGood: boolean;
  /** The status, or the error instead of an answer. */
  readonly answer: string;
}

export interface Sending {
  readonly gateways: Gateways;
  readonly findings: Findings;
  readonly random: Random;
}

/**
 * `request` is told where to, and which answer came before if this is the repetition; the first goes to `at`, or to any gateway.
 * Returns whether one was good.
 */
export async function sendTwice(
  { gateways, findings, random }: Sending,
  what: string,
  attempts: ServedAttempt[],
  request: (url: string, before?: Reply) => Promise<Reply>,
  at = gateways.pick(random),
): Promise<boolean> {
  const once = async (url: string, before?: Reply): Promise<Reply> => {
    const begunAt = Date.now();
    const reply = await request(url, before);
    const isRetry = before !== undefined;
    const { isGood, answer } = reply;
    attempts.push({ what, url, answer, begunAt, endedAt: Date.now(), isGood, isRetry });
    return reply;
  };
  const first = await once(at);
  if (first.isGood) return true;
  await sleep(RETRY_MS);
  const second = await once(gateways.pick(random, at), first);
  if (!second.isGood) findings.add('failed', `${what}: ${first.answer}, and again: ${second.answer}`);
  return second.isGood;
}
