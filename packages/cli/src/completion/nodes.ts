/** What may follow each command, taken from the commands themselves. */
import type { Argument, Command, Option } from 'commander';

/** Words to choose from, or the kind of thing expected; undefined: something that nobody can guess. */
type Offer = readonly string[] | 'file' | CompletionKind | undefined;

/** Only an installation, or the alias file, knows these. */
export const completionKinds = ['place', 'path-or-place', 'bucket', 'bucket-name', 'alias'] as const;
export type CompletionKind = (typeof completionKinds)[number];

export interface CompletionNode {
  /** The command's words; empty for the program itself. */
  readonly words: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly { readonly names: readonly string[]; readonly value: 'none' | Offer }[];
  readonly argument: Offer;
}

export function nodesOf(command: Command, words: readonly string[] = []): CompletionNode[] {
  const standIn = command.commands.find((each) => each.name() === defaultName(command));
  const node = {
    words,
    subcommands: command.commands.map((each) => ({ name: each.name(), about: each.description() })),
    options: [
      ...[...command.options, ...(standIn?.options ?? [])].map((option) => ({
        names: namesOf(option),
        value: valueOfOption(option),
      })),
      { names: ['--help'], value: 'none' as const },
    ],
    // Where there are several, all are of one kind, except those that nobody can guess.
    argument: command.registeredArguments.map(argumentOf).find((offer) => offer !== undefined),
  };
  return [node, ...command.commands.flatMap((each) => nodesOf(each, [...words, each.name()]))];
}

/** The subcommand that runs when none is named; commander does not expose it. */
function defaultName(command: Command): string | undefined {
  return (command as { _defaultCommandName?: string | null })._defaultCommandName ?? undefined;
}

function namesOf({ long, short }: Option): string[] {
  return [long, short].filter((name) => name != null);
}

function valueOfOption({ flags, argChoices, required, optional }: Option): 'none' | Offer {
  if (!required && !optional) return 'none';
  if (argChoices !== undefined) return argChoices;
  const [, form = ''] = /[<[](.+)[>\]]/.exec(flags) ?? [];
  const offers: Record<string, Offer> = {
    file: 'file',
    folder: 'file',
    alias: 'alias',
    bucket: 'bucket-name',
  };
  return offers[form];
}

/** By the form shown in the help. */
function argumentOf(argument: Argument): Offer {
  const { argChoices, description } = argument;
  if (argChoices !== undefined) return argChoices;
  if (description === '[alias]:bucket') return 'bucket';
  if (description.includes('[alias]:'))
    return /\ba (?:path|folder)\b/.test(description) ? 'path-or-place' : 'place';
  if (/^bucket\b/.test(description)) return 'bucket-name';
  return argument.name() === 'name' ? 'alias' : undefined;
}
