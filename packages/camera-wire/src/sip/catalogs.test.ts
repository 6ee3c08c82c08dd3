import { describe, expect, test } from 'vitest';
import { Catalogs } from './catalogs.ts';
import type { CatalogPart } from './manscdp.ts';

const part = (number: string, total: number, ...gbids: string[]): CatalogPart => ({
  command: 'Catalog',
  number,
  total,
  count: gbids.length,
  channels: gbids.map((gbid) => ({ gbid, name: '', vendor: '', isOn: true })),
});

function open(most = 10) {
  const at = { now: 0 };
  return { at, catalogs: new Catalogs<string>({ patienceMs: 1000, most, now: () => at.now }) };
}
const idsOf = (given: ReturnType<Catalogs<string>['add']>) =>
  given.map(({ device, isWhole, channels }) => [device, isWhole, channels.map(({ gbid }) => gbid)]);

describe('a catalog', () => {
  test('is whole when all of it is there, in whatever order, and a part that comes twice counts once', () => {
    const { catalogs } = open();
    expect(catalogs.add('cam', 'cam', part('1', 3, 'b'))).toEqual([]);
    expect(catalogs.add('cam', 'cam', part('1', 3, 'b'))).toEqual([]);
    expect(catalogs.add('cam', 'cam', part('1', 3, 'c'))).toEqual([]);
    expect(idsOf(catalogs.add('cam', 'cam', part('1', 3, 'a')))).toEqual([['cam', true, ['b', 'c', 'a']]]);
    expect(catalogs.size).toBe(0);
  });

  test('of another number or another device is another one', () => {
    const { catalogs } = open();
    catalogs.add('cam', 'cam', part('1', 2, 'a'));
    expect(catalogs.add('cam', 'cam', part('2', 2, 'b'))).toEqual([]);
    expect(catalogs.add('other', 'other', part('1', 2, 'b'))).toEqual([]);
    expect(catalogs.size).toBe(3);
  });

  test('of nothing is whole at once', () => {
    expect(idsOf(open().catalogs.add('cam', 'cam', part('1', 0)))).toEqual([['cam', true, []]]);
  });

  test('that stays incomplete is given out as what it is', () => {
    const { catalogs, at } = open();
    catalogs.add('cam', 'cam', part('1', 3, 'a'));
    at.now = 999;
    expect(catalogs.overdue()).toEqual([]);
    at.now = 1000;
    expect(idsOf(catalogs.overdue())).toEqual([['cam', false, ['a']]]);
    expect(catalogs.size).toBe(0);
  });

  test('gives way to newer ones where there are too many', () => {
    const { catalogs } = open(2);
    catalogs.add('1', '1', part('1', 2, 'a'));
    catalogs.add('2', '2', part('1', 2, 'a'));
    expect(idsOf(catalogs.add('3', '3', part('1', 2, 'a')))).toEqual([['1', false, ['a']]]);
    expect(catalogs.size).toBe(2);
  });
});
