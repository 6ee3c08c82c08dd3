/** The states of work on many objects, and how each looks. */
import type { MarkState } from '../../ui/mark.tsx';

export const STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;
export type BulkState = (typeof STATES)[number];

export const MARKS: Readonly<Record<BulkState, MarkState>> = {
  waiting: 'wait',
  running: 'busy',
  done: 'ok',
  failed: 'bad',
  stopped: 'off',
};
