import { describe, expect, test } from 'vitest';
import { faultOf } from '../../../test/faults.ts';
import { encodeBase64Text } from '../../base64.ts';
import { parseFops } from '../grammar.ts';
import { isPm3u8, parsePm3u8, printPm3u8 } from './pm3u8.ts';

describe('pm3u8', () => {
  test.each([
    ['pm3u8/0', {}],
    ['pm3u8/0/expires/43200', { expires: 43_200 }],
    ['pm3u8/0/expires/1/deadline/1900000000', { expires: 1, deadline: 1_900_000_000 }],
    [`pm3u8/0/prefix/${encodeBase64Text('videos/ü 7/')}`, { prefix: 'videos/ü 7/' }],
  ])('%s is read, and written again', (text, plan) => {
    expect(isPm3u8(text)).toBe(true);
    expect(parsePm3u8(text)).toMatchObject(plan);
    expect(parsePm3u8(printPm3u8(parsePm3u8(text)))).toEqual(parsePm3u8(text));
  });

  test.each([
    'pm3u8',
    'pm3u8/',
    'pm3u8/1',
    'pm3u8/0/expires',
    'pm3u8/0/expires/0',
    'pm3u8/0/expires/604801',
    'pm3u8/0/expires/-5',
    'pm3u8/0/expires/1/expires/2',
    'pm3u8/0/deadline/x',
    'pm3u8/0/query/YT0x',
    'pm3u8/0/prefix/',
    'pm3u8/0/prefix/!',
    'pm3u8/0|imageInfo',
  ])('%s is refused', (text) => {
    expect(isPm3u8(text)).toBe(true);
    expect(faultOf(() => parsePm3u8(text))).toBe('invalidArgument');
  });

  test('is no command of tasks', () => {
    expect(faultOf(() => parseFops('pm3u8/0'))).toBe('unsupportedCommand');
    expect(isPm3u8('pm3u80/0')).toBe(false);
  });
});
