/** `millpond completion`: a script for bash, zsh or fish, made from the commands themselves. */
import { Argument, type Command } from 'commander';
import { nodesOf } from '../completion/nodes.ts';
import { completionScript } from '../completion/scripts.ts';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\n  bash: source <(millpond completion bash)\n  zsh:  source <(millpond completion zsh)\n  fish: millpond completion fish | source\n\nIt completes `npx millpond` too, and asks installations for buckets and keys.',
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write(completionScript(shell, nodesOf(program)));
    });
}
