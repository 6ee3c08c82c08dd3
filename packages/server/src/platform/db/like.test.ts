import { expect, test } from 'vitest';
import { likePrefix } from './like.ts';

test('a prefix is taken as it is written', () => {
  expect(likePrefix('a_b%c\\')).toBe('a\\_b\\%c\\\\%');
});
