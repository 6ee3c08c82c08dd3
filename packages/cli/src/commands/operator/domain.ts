/** `millpond domain`: binds host names to buckets as the operator, who needs no proof in DNS. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { print } from '../../print.ts';

export function addDomain(program: Command): void {
  const command = program.command('domain').description('bind host names to buckets without proof in DNS');
  operatorCommand(command, 'bind', 'serve downloads of a bucket at a host name, even if it was bound before')
    .argument('<domain>')
    .argument('<bucket>')
    .action(async (domain: string, bucket: string, options: OperatorOptions) => {
      await withTools(options, ({ bindDomain }) => bindDomain(domain, bucket));
      print(options, { domain, bucket }, `${domain} is bound to ${bucket}; this takes effect within 5 s`);
    });
  operatorCommand(command, 'unbind', 'unbind a host name')
    .argument('<domain>')
    .action(async (domain: string, options: OperatorOptions) => {
      await withTools(options, ({ unbindDomain }) => unbindDomain(domain));
      print(options, { domain }, `${domain} is no longer bound; this takes effect within 5 s`);
    });
}
