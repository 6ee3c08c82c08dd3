/** `millpond region`: the regions that share the control database, for operators. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { print } from '../../print.ts';

export function addRegion(program: Command): void {
  const command = program
    .command('region')
    .description('list the regions of an installation, and forget one');
  operatorCommand(command, 'list', 'list the regions that share the control database').action(
    async (options: OperatorOptions) => {
      await withTools(options, async ({ regions }) => {
        for (const region of await regions.names()) {
          const isThis = region === regions.own;
          print(options, { region, this: isThis }, isThis ? `${region}  this one` : region);
        }
      });
    },
  );
  operatorCommand(command, 'forget', 'list a region no more that was given up and has no buckets left')
    .argument('<region>')
    .addHelpText(
      'after',
      '\nIt is refused while a bucket is in it, or an account has it as its default. Stop its gateways first: one that starts tells it anew.',
    )
    .action(async (region: string, options: OperatorOptions) => {
      await withTools(options, ({ regions }) => regions.forget(region));
      print(options, { region }, `${region} is forgotten; this takes effect within 5 s`);
    });
}
