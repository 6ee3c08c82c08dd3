import { commandDefinitions } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import english from '../../words/en/commands.json' with { type: 'json' };
import { beginning, parseProblem, readStages, writeStages } from './command-text.ts';
import { commandNames } from './tables.ts';

const segment = fc.oneof(
  fc.constantFrom(
    'w',
    'h',
    'q',
    'thumbnail',
    'strip',
    'auto-orient',
    'text',
    'offset',
    'vb',
    'url',
    'alias',
    '',
    '2',
    'mp4',
  ),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[/|]/g, '')),
);
const stage = fc
  .tuple(fc.constantFrom<string>(...commandNames, 'saveas', 'nothing'), fc.array(segment, { maxLength: 9 }))
  .map(([name, segments]) => [name, ...segments].join('/'));

describe('the text of a command', () => {
  test('survives being taken apart, right or wrong', () => {
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 4 }), (stages) => {
        const text = stages.join('|');
        expect(writeStages(readStages(text))).toBe(text);
      }),
    );
  });

  test('is taken apart by the table of its command', () => {
    expect(readStages('imageView2/2/w/200|imageMogr2/strip/blur/3x5|nobody/knows')).toEqual([
      { name: 'imageView2', first: '2', pairs: [{ name: 'w', value: '200' }], rest: [] },
      { name: 'imageMogr2', pairs: [{ name: 'strip' }, { name: 'blur', value: '3x5' }], rest: [] },
      { name: 'nobody', pairs: [], rest: ['knows'] },
    ]);
  });

  test('is faulty in the words of the parser', () => {
    expect(parseProblem('imageView2/2/w/0', 'url')).toBe(
      'imageView2: w must be a whole number from 1 to 14999',
    );
    expect(parseProblem('avthumb/mp4', 'url')).toContain('submit it as a task');
    expect(parseProblem('avthumb/mp4', 'task')).toBeUndefined();
  });

  test.each(commandNames.filter((name) => !['avconcat', 'concat'].includes(name)))(
    '%s begins with something that works',
    (name) => {
      expect(parseProblem(beginning(name), 'task')).toBeUndefined();
    },
  );

  test('has a name in words for every parameter', () => {
    const words: Readonly<Record<string, string>> = english;
    const tables = Object.values(commandDefinitions).flatMap(({ parameters, more = [] }) => [
      parameters,
      ...more.map((each) => each.parameters),
    ]);
    const unnamed = tables.flatMap(Object.keys).filter((name) => words[`par.${name}`] === undefined);
    expect([...new Set(unnamed)]).toEqual([]);
  });
});
