/** The command line. Everything that is wrong with it is said in one line. */
import { parseArgs } from 'node:util';
import type { Requirement } from './requirement.ts';
import type { Milestone, Subject } from './statement.ts';
import { milestones, subjects } from './statement.ts';

export const usage = `npm run conformance -- [options]
  --json                    one JSON line instead of the table
  --subject a[,b]           only these subjects
  --page                    only write docs/reference/conformance.md, from the sources; nothing is run
  --from-report FILE...     read these vitest JSON reports, made in this checkout, instead of running the suites
  --require a[,b]           fail unless every statement of these subjects passes
  --require-milestone M     fail unless every statement up to this stage passes; with --require, of those subjects only
subjects: ${subjects.join(', ')}
stages: ${milestones.join(', ')}`;

export interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly page: boolean;
  /** Empty: all. */
  readonly subjects: readonly Subject[];
  /** Empty: run the suites. */
  readonly reports: readonly string[];
  readonly requirement: Requirement;
}

export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      subject: { type: 'string', multiple: true, default: [] },
      'from-report': { type: 'string', multiple: true, default: [] },
      require: { type: 'string', multiple: true, default: [] },
      'require-milestone': { type: 'string' },
    },
  });
  const reports = values['from-report'];
  if (reports.length === 0 && positionals.length > 0) throw new Error(`unexpected: ${positionals.join(' ')}`);
  const milestone = values['require-milestone'];
  return {
    help: values.help,
    json: values.json,
    page: values.page,
    subjects: subjectsIn(values.subject),
    reports: [...reports, ...positionals],
    requirement: {
      subjects: subjectsIn(values.require),
      ...(milestone === undefined ? {} : { milestone: milestoneIn(milestone) }),
    },
  };
}

function subjectsIn(lists: readonly string[]): Subject[] {
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => {
      const subject = subjects.find((one) => one === name);
      if (subject === undefined) throw new Error(`no such subject: ${name}`);
      return subject;
    });
}

function milestoneIn(name: string): Milestone {
  const milestone = milestones.find((one) => one === name);
  if (milestone === undefined) throw new Error(`no such stage: ${name}`);
  return milestone;
}
