import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { styleIn } from './styles.ts';

const styles = new Map([
  ['small', 'imageView2/2/w/10'],
  ['very-small', 'imageView2/2/w/1'],
  ['a.b', 'imageInfo'],
]);

describe('the style at the end of a key', () => {
  test.each([
    ['cat.jpg-small', 'cat.jpg', 'imageView2/2/w/10'],
    ['a-b-small', 'a-b', 'imageView2/2/w/10'],
    ['cat-very-small', 'cat', 'imageView2/2/w/1'],
    ['cat--small', 'cat-', 'imageView2/2/w/10'],
    ['七-a.b', '七', 'imageInfo'],
  ])('%s is %s in a style', (key, object, command) => {
    expect(styleIn(key, '-', styles)).toEqual({ key: object, command });
  });

  test.each(['cat.jpg', '-small', 'cat-Small', 'cat-small-', 'cat!small', 'cat-toString', ''])(
    '%s is in none',
    (key) => expect(styleIn(key, '-', styles)).toBeUndefined(),
  );

  test('every key in a style is found, whatever it is made of', () => {
    const key = fc.string({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(key, fc.constantFrom('-', '/', '!', '.'), (text, separator) => {
        const found = styleIn(`${text}${separator}small`, separator, new Map([['small', 'imageInfo']]));
        expect(found).toEqual({ key: text, command: 'imageInfo' });
      }),
    );
  });
});
