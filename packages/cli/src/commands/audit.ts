/** `millpond audit`: who did what, from where, to what, with which request id. */
import type { Command } from 'commander';
import { auditSources } from '../database-or-api/audit.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { readLimit, readTime } from '../option-readers.ts';
import { printRows } from '../print.ts';

interface AuditOptions extends SourceOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly action?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly reqid?: string;
  readonly limit: number;
}

const COLUMNS = ['at', 'action', 'result', 'actor', 'address', 'target', 'reqid'];

export function addAudit(program: Command): void {
  operatorOrUserCommand(program, 'audit', 'search the log of security-relevant actions, newest first')
    .option('--since <time>', 'at or after this time, ISO 8601', readTime)
    .option('--until <time>', 'before this time, ISO 8601', readTime)
    .option('--action <name>', 'such as token.password or key.disable')
    .option('--account <email>', 'actions of this account and its children; for operators')
    .option('--actor <name>', 'actions of this access key, e-mail or operator')
    .option('--target <text>', 'actions on this e-mail or access key')
    .option('--reqid <id>', 'the action of this request')
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: AuditOptions) => {
      const { account, since, until, action, actor, target, reqid, limit } = options;
      await withSource(options, auditSources, async (source) => {
        const rows = await source.search(account, { since, until, action, actor, target, reqid }, limit);
        printRows(options, rows, COLUMNS);
      });
    });
}
