import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandGroups, commandRows } from './commands.ts';

test('each command is described by its own help as by that of all', async () => {
  const program = new Command();
  for (const add of new Set(await Promise.all(commandRows.map(({ load }) => load())))) add(program);
  const described = (commands: readonly { name: string; about: string }[]) =>
    Object.fromEntries(commands.map(({ name, about }) => [name, about]));
  const own = program.commands.map((each) => ({ name: each.name(), about: each.description() }));
  expect(described(own)).toEqual(described(commandRows));
});

test('what everybody needs stands before what only operators do', () => {
  expect(commandGroups.map(({ title }) => title)).toEqual([
    'Objects',
    'Buckets and processing',
    'Development',
    'Operators (need the server’s configuration)',
  ]);
});
