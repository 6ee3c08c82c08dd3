/** `millpond audit`: who did what, from where, to what, with which request id. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { readLimit, readTime } from '../../option-readers.ts';
import { printRows } from '../../print.ts';

interface AuditOptions extends OperatorOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly action?: string;
  readonly account?: string;
  readonly target?: string;
  readonly reqid?: string;
  readonly limit: number;
}

export function addAudit(program: Command): void {
  operatorCommand(program, 'audit', 'search the log of security-relevant actions, newest first')
    .option('--since <time>', 'at or after this time, ISO 8601', readTime)
    .option('--until <time>', 'before this time, ISO 8601', readTime)
    .option('--action <name>', 'such as token.password or key.disable')
    .option('--account <email>', 'actions of this account')
    .option('--target <text>', 'actions on this e-mail or access key')
    .option('--reqid <id>', 'the action of this request')
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: AuditOptions) => {
      await withTools(options, async ({ accounts }) => {
        const { since, until, action, target, reqid, limit } = options;
        const uid = options.account === undefined ? undefined : (await accounts.byEmail(options.account)).uid;
        const rows = await accounts.audit({ since, until, action, uid, target, reqid, limit });
        const columns = ['at', 'action', 'result', 'actor', 'address', 'target', 'reqid'];
        printRows(
          options,
          rows.map((row) => ({ ...row })),
          columns,
        );
      });
    });
}
