import { describe, expect, test } from 'vitest';
import { milestones, subjects } from './statement.ts';
import { allStatements } from './statements/index.ts';
import { idForm } from './title.ts';

const ids = allStatements.map(({ id }) => id);

describe('the list of statements', () => {
  test('no two statements share an id', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('every id is well formed, and the form G… is kept for traps', () => {
    expect(ids.filter((id) => !idForm.test(id))).toEqual([]);
    expect(allStatements.filter(({ id, from }) => id.startsWith('G') !== (from === 'trap'))).toEqual([]);
  });

  test('ids of one prefix are numbered from 01 without a gap', () => {
    const numbers = new Map<string, number[]>();
    for (const id of ids.filter((one) => !one.startsWith('G'))) {
      const prefix = id.slice(0, -3);
      numbers.set(prefix, [...(numbers.get(prefix) ?? []), Number(id.slice(-2))]);
    }
    const gaps = [...numbers].filter(([, list]) =>
      list.toSorted((a, b) => a - b).some((number, index) => number !== index + 1),
    );
    expect(gaps).toEqual([]);
  });

  test('all 49 traps are there', () => {
    const traps = allStatements.filter(({ from }) => from === 'trap').map(({ id }) => id);
    expect(new Set(traps)).toEqual(new Set(Array.from({ length: 49 }, (_, index) => `G${index + 1}`)));
  });

  test('no text is empty, said twice, or holds an unclosed code span', () => {
    const texts = allStatements.map(({ text, where }) => `${where}: ${text}`);
    expect(allStatements.filter(({ text, where }) => text.trim().length < 12 || where.trim() === '')).toEqual(
      [],
    );
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(texts.filter((text) => text.split('`').length % 2 === 0)).toEqual([]);
  });

  test('the published interface is there with at least 330 statements', () => {
    expect(allStatements.filter(({ from }) => from === 'interface').length).toBeGreaterThanOrEqual(330);
  });

  test('every subject and every stage has statements', () => {
    expect(subjects.filter((subject) => !allStatements.some((one) => one.subject === subject))).toEqual([]);
    expect(milestones.filter((stage) => !allStatements.some((one) => one.milestone === stage))).toEqual([]);
  });
});
