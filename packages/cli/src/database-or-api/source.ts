/**
 * Commands that serve both: an operator works on the database and sees every account; a user asks an installation with
 * an access key and sees only their own data.
 */
import type { Client } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import type { Command, CommandOptions } from 'commander';
import { hasDatabase } from '../config.ts';
import { UsageError } from '../exit.ts';
import { interruptSignal } from '../interrupt.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { clientAt, hasDefaultKey } from '../remote/installation.ts';

export interface SourceOptions extends OperatorOptions {
  readonly at?: string;
  readonly account?: string;
}

/** The same data from two sources: the database, and the API. */
export interface Sources<T> {
  readonly operator: (tools: OperatorTools) => T;
  readonly user: (client: Client, signal: AbortSignal) => T;
}

/** A subcommand with the options that select the source. */
export function operatorOrUserCommand(
  parent: Command,
  name: string,
  description: string,
  options: CommandOptions = {},
): Command {
  return operatorCommand(parent, name, description, options).option(
    '--at <alias>',
    'use the access key of this alias, or : for that of the environment. This is also done if no database is configured, or if no account is named where one is needed',
  );
}

export async function withSource<T>(
  options: SourceOptions,
  sources: Sources<T>,
  use: (things: T) => Promise<void>,
  about: 'one account' | 'all' = 'all',
): Promise<void> {
  if (!isByKey(options, about === 'one account'))
    return withTools(options, (tools) => use(sources.operator(tools)));
  if (options.account !== undefined)
    throw new UsageError('other accounts are for operators: an access key only shows its own');
  await use(sources.user(clientAt(options.at), interruptSignal()));
}

/** The first `limit` items of a paged sequence. */
export async function firstOf<T>(all: AsyncIterable<T>, limit: number): Promise<T[]> {
  const first: T[] = [];
  for await (const each of all) if (first.push(each) >= limit) break;
  return first;
}

/** Somebody who has both a key and the database, and asks about one account without naming it, means the key's account. */
function isByKey(options: SourceOptions, isOfOne: boolean): boolean {
  if (options.at !== undefined) return true;
  const isUnnamed = isOfOne && options.account === undefined;
  return hasDefaultKey() && (isUnnamed || !hasDatabase(options));
}
