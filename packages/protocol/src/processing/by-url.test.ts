import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { commandsByUrl, MAX_WORK_BYTES, parseUrlCommands } from './by-url.ts';
import { isMeantAsCommand } from './command-registry.ts';

describe('commands in a URL', () => {
  test.each([
    ['imageView2/2/w/200', true],
    ['imageInfo', true],
    ['exif|imageInfo', true],
    ['avthumb/mp4', true],
    ['qrcode/0', true],
    ['attname=a.jpg', false],
    ['imageInfo=1', false],
    ['imageView2', true],
    ['imageView2/', true],
    ['imageView', true],
    ['imageView/2', true],
    ['imageView3/2/w/9', true],
    ['imageview2/2', true],
    ['imageMogr/thumbnail/9x', true],
    ['IMAGEINFO', true],
    ['imageInfo2/x', true],
    ['imagView2/2/w/9', true],
    ['watermarc/1|imageInfo', true],
    ['qrcode2/0', true],
    ['e=1', false],
    ['v=3', false],
    ['12345', false],
    ['2026/11/16', false],
    ['p3', false],
    ['p2/3', false],
    ['P', false],
    ['exif1', false],
    ['imageInfo2', false],
    ['exit/1', false],
    ['image', false],
    ['image/1', false],
    ['images/2', false],
    ['view/2', false],
    ['frame/2', false],
    ['imagView2', false],
    ['', false],
    ['/imageInfo', false],
    ['toString', false],
  ])('%s is meant as commands: %s', (text, meant) => expect(isMeantAsCommand(text)).toBe(meant));

  test('equal work has equal text, however it is written', () => {
    const canonical = (text: string) => parseUrlCommands(text).canonical;
    expect(canonical('imageView2/2/h/10/w/20')).toBe(canonical('imageView2/2/w/20/h/10'));
    expect(canonical('imageView2/2/w/20|imageInfo')).not.toBe(canonical('imageView2/2/w/20'));
    expect(parseUrlCommands('vframe/jpg/offset/1|imageView2/2/w/9').stages).toHaveLength(2);
  });

  test.each([
    ['avthumb/mp4', 'unsupportedCommand'],
    ['imageView2/2/w/9|mkzip/2/url/aHR0cDovL2EvYg==', 'unsupportedCommand'],
    ['imageView2/2/w/9|saveas/Yjpr', 'unsupportedCommand'],
    ['qrcode/0', 'unsupportedCommand'],
    ['imageView2', 'invalidArgument'],
    ['imageView/2', 'invalidArgument'],
    ['imageview2/2/w/9', 'invalidArgument'],
    ['imageView2/9', 'invalidArgument'],
    ['imageView2/2/w/9;imageInfo', 'invalidArgument'],
    ['imageInfo|', 'invalidArgument'],
    ['', 'invalidArgument'],
    [Array(9).fill('imageInfo').join('|'), 'invalidArgument'],
    [`imageView2/2/w/${'9'.repeat(MAX_WORK_BYTES)}`, 'invalidArgument'],
  ])('%s is refused', (text, fault) => expect(faultOf(() => parseUrlCommands(text))).toBe(fault));

  test('the command that was probably meant is named', () => {
    expect(() => parseUrlCommands('imageView/2/w/9')).toThrow(
      'there is no command "imageView": imageView2 was probably meant',
    );
    expect(() => parseUrlCommands('nonsense/2')).toThrow(/^there is no command "nonsense"$/);
  });

  test('images are laid over ten times in all', () => {
    const marks = (count: number) => `watermark/3${'/image/aHR0cDovL2EvYg=='.repeat(count)}`;
    expect(parseUrlCommands(`${marks(6)}|${marks(4)}`).stages).toHaveLength(2);
    expect(faultOf(() => parseUrlCommands(`${marks(6)}|${marks(5)}`))).toBe('invalidArgument');
  });

  test('operations and blurs of all commands have a bound: one image may not take all the time there is', () => {
    const mogr = (operation: string, count: number) => `imageMogr2/${Array(count).fill(operation).join('/')}`;
    expect(parseUrlCommands(`${mogr('rotate/9', 6)}|${mogr('sharpen/1', 4)}`).stages).toHaveLength(2);
    expect(faultOf(() => parseUrlCommands(`${mogr('rotate/9', 6)}|${mogr('sharpen/1', 5)}`))).toBe(
      'invalidArgument',
    );
    expect(parseUrlCommands(mogr('blur/50x150', 1)).stages).toHaveLength(1);
    expect(parseUrlCommands(mogr('blur/1x75', 2)).stages).toHaveLength(1);
    expect(faultOf(() => parseUrlCommands('imageMogr2/blur/1x75|imageMogr2/blur/1x76'))).toBe(
      'invalidArgument',
    );
  });

  test('any text gives work or a fault, and what is printed means the same', () => {
    const command = fc
      .tuple(
        fc.constantFrom(...commandsByUrl),
        fc.constantFrom('', '/2/w/9', '/md5', '/jpg/offset/2'),
        anyText(),
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(anyText(), command), (text) => {
        const fault = faultOf(() => {
          const { canonical } = parseUrlCommands(text);
          expect(parseUrlCommands(canonical).canonical).toBe(canonical);
        });
        expect([undefined, 'invalidArgument', 'unsupportedCommand']).toContain(fault);
      }),
    );
  });
});
