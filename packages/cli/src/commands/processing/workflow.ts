/** `millpond workflow`: named commands that uploads, triggers and tasks refer to. */
import type { Command } from 'commander';
import { print } from '../../print.ts';
import { accountCommand, addOwnDelete, addOwnList, type OwnOptions, onOne } from './own-command.ts';

const NAME = ['name', 'name of the template'] as const;

export function addWorkflow(program: Command): void {
  const workflow = program.command('workflow').description('list, create and delete workflow templates');
  addOwnList(
    workflow,
    'list templates by name, with their commands',
    ['name', 'commands'],
    (processing, calling) => processing.workflows(calling),
  );
  accountCommand(workflow, 'set', 'create or replace a template')
    .argument(`<${NAME[0]}>`, NAME[1])
    .argument('<commands>', 'such as avthumb/mp4; several are separated by ;')
    .action(async (name: string, commands: string, options: OwnOptions) => {
      const made = await onOne(name, options.at, (processing, calling) =>
        processing.putWorkflow(name, commands, calling),
      );
      print(options, made, `${name}: ${made.commands}`);
    });
  addOwnDelete(workflow, 'delete a template that no trigger names', NAME, (processing, name, calling) =>
    processing.removeWorkflow(name, calling),
  );
}
