/** What a run demands beyond "nothing that is shown fails". */
import type { StatementRow } from './coverage.ts';
import type { Milestone, Statement, Subject } from './statement.ts';
import { milestones } from './statement.ts';

export interface Requirement {
  /** Every statement of these subjects must pass. */
  readonly subjects: readonly Subject[];
  /** Every statement of this stage and the stages before it must pass; with subjects, only theirs up to this stage. */
  readonly milestone?: Milestone;
}

/** Statements that the requirement names and that do not pass. */
export function missing(shown: readonly StatementRow[], requirement: Requirement): Statement[] {
  return shown
    .filter(({ statement, state }) => state !== 'passing' && isRequired(statement, requirement))
    .map(({ statement }) => statement);
}

function isRequired(statement: Statement, { subjects, milestone }: Requirement): boolean {
  if (subjects.length === 0 && milestone === undefined) return false;
  const ofSubject = subjects.length === 0 || subjects.includes(statement.subject);
  const last = milestone === undefined ? milestones.length - 1 : milestones.indexOf(milestone);
  return ofSubject && milestones.indexOf(statement.milestone) <= last;
}
