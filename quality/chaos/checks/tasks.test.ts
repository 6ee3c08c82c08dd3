import { expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { checkTasks, type EndedTask, type ReportedTask } from './tasks.ts';

const ended = (changes: Partial<EndedTask> = {}): EndedTask => ({
  id: 't',
  records: ['{"code":0}', '{"code":0}'],
  code: 0,
  flaw: undefined,
  rerunAfter: 12,
  ...changes,
});
const told = (changes: Partial<ReportedTask> = {}): ReportedTask => ({
  deliveryId: 'd',
  taskId: 't',
  body: '{"code":0}',
  ...changes,
});

function check(tasks: readonly EndedTask[], notices: readonly ReportedTask[]) {
  const findings = new Findings();
  checkTasks(tasks, notices, findings);
  return findings;
}

test('a task that ended, is whole and was told, even twice by the same notification, is good', () => {
  expect(check([ended()], [told(), told()]).good).toBe(true);
});

test.each([
  ['lost', [ended({ code: 2 })], [told()]],
  ['lost', [ended()], []],
  ['duplicated', [ended({ records: ['{"code":3}', '{"code":0}'] })], [told()]],
  ['duplicated', [ended()], [told(), told({ deliveryId: 'other' })]],
  ['torn', [ended({ flaw: 'half of it' })], [told()]],
  ['torn', [ended()], [told({ body: '{"code":3}' })]],
  ['stale', [ended({ rerunAfter: 20.1 })], [told()]],
  ['uncommitted', [ended()], [told(), told({ taskId: 'another' })]],
] as const)('%s', (fault, tasks, notices) => {
  expect(check(tasks, notices).count(fault)).toBe(1);
});
