import { expect, test } from 'vitest';
import { formatReturnLocation } from './url.ts';

// eyJhIjoxfQ== is {"a":1}
test.each([
  ['http://a.example', 'http://a.example/?upload_ret=eyJhIjoxfQ=='],
  ['http://a.example/x?y=1', 'http://a.example/x?y=1&upload_ret=eyJhIjoxfQ=='],
  ['http://a.example/x?', 'http://a.example/x?upload_ret=eyJhIjoxfQ=='],
  ['http://a.example/x?y#z', 'http://a.example/x?y&upload_ret=eyJhIjoxfQ==#z'],
  ['https://a.example/世?q=界', 'https://a.example/%E4%B8%96?q=%E7%95%8C&upload_ret=eyJhIjoxfQ=='],
])('the answer goes into the query of %s', (url, location) => {
  expect(formatReturnLocation(url, '{"a":1}')).toBe(location);
});
