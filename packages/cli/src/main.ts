/** The `millpond` command. Each subject adds its own commands; a fault ends it with one line and a meaningful code. */
import { Command } from 'commander';
import packageFacts from '../package.json' with { type: 'json' };
import { commandGroups, commandRows } from './commands.ts';
import { exitCodes, failureLine, isForPrograms } from './exit.ts';
import { endWithNpx } from './npx.ts';

export async function main(argv: string[]): Promise<void> {
  const program = newProgram();
  process.stdout.on('error', endOfReader);
  endWithNpx();
  const [first, second] = argv.slice(2);
  if (first === 'help' && second === '--all') {
    addNames(program);
    process.stdout.write(allHelp(program, await addAll(newProgram())));
    return;
  }
  if (first === 'complete') {
    const { answerCompletion } = await import('./completion/answer.ts');
    return answerCompletion(argv.slice(3));
  }
  await addCommands(program, argv.slice(2));
  try {
    await program.parseAsync(argv);
  } catch (error) {
    const { reportAndExit } = await import('./report.ts');
    reportAndExit(error);
  }
}

function newProgram(): Command {
  return new Command('millpond')
    .description('Self-hosted object storage, media processing, accounts and event callbacks.')
    .showHelpAfterError('(--help shows how)')
    .version(packageFacts.version)
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'show help for a command; help --all: for every command')
    .exitOverride(({ exitCode, message }) => {
      if (exitCode === 0) process.exit(exitCodes.done);
      const error = { status: 0, message: message.replace(/^error: /, ''), code: 'usage' };
      if (isForPrograms()) process.stdout.write(failureLine(error));
      process.exit(exitCodes.usage);
    });
}

/** The command that is called; only names and descriptions if there is none; all of them if the whole tree is needed. */
async function addCommands(program: Command, [first, ...rest]: readonly string[]): Promise<void> {
  const row = commandRows.find(({ name }) => name === first);
  if (first === 'completion' || (first === 'help' && rest.length > 0)) await addAll(program);
  else if (row !== undefined) (await row.load())(program);
  else addNames(program);
}

function addNames(program: Command): void {
  for (const { title, rows } of commandGroups)
    for (const { name, about } of rows) program.command(name).description(about).helpGroup(`${title}:`);
}

async function addAll(program: Command): Promise<Command> {
  for (const add of new Set(await Promise.all(commandRows.map(({ load }) => load())))) add(program);
  return program;
}

/** The help of every command, from the top down, each under its own name. */
function allHelp(root: Command, all: Command): string {
  return [
    section(['millpond'], root),
    ...all.commands.flatMap((command) => sections(['millpond'], command)),
  ].join('');
}

function sections(above: readonly string[], command: Command): string[] {
  const words = [...above, command.name()];
  const below = command.commands.filter((each) => each.name() !== 'help');
  return [section(words, command), ...below.flatMap((each) => sections(words, each))];
}

function section(words: readonly string[], command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (piece) => {
      help += piece;
    },
  });
  command.outputHelp();
  return `# ${words.join(' ')}\n\n${help}\n`;
}

/** The reader of the output, such as `head`, has had enough: that is not a failure of the command. */
function endOfReader(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.fatal);
}
