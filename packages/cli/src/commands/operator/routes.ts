/** `millpond routes`: every call that a server of this version and configuration answers. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { printRows } from '../../print.ts';

export function addRoutes(program: Command): void {
  operatorCommand(
    program,
    'routes',
    'list every call that the server answers, by the role of its host',
  ).action(async (options: OperatorOptions) => {
    await withTools(options, async ({ routes }) => {
      const rows = routes.map(({ role, methods, path }) => ({ role, methods: methods.join(','), path }));
      printRows(options, rows, ['role', 'methods', 'path']);
    });
  });
}
