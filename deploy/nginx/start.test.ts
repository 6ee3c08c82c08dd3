import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Placeholders, renderConfiguration } from './start.ts';

const values: Placeholders = {
  LISTEN: '443 ssl',
  GATEWAY: '10.0.0.1:8100',
  ENGINE_SCHEME: 'https',
  ENGINE: 'engine:7480',
};
const every = '__LISTEN__ __GATEWAY__ __ENGINE_SCHEME__ __ENGINE__';

test('fills every placeholder of the shipped file', async () => {
  const text = renderConfiguration(
    await readFile(path.join(import.meta.dirname, 'millpond.conf'), 'utf8'),
    values,
  );
  expect(text).toContain('listen 443 ssl;');
  expect(text).toContain('server 10.0.0.1:8100;');
  expect(text).toContain('proxy_pass https://millpond_engine/;');
  expect(text).toContain('proxy_set_header Host engine:7480;');
  expect(text).not.toMatch(/__[A-Z]/);
});

test('a placeholder that is missing or unknown is a fault', () => {
  expect(() => renderConfiguration('__LISTEN__', values)).toThrow('__GATEWAY__');
  expect(() => renderConfiguration(`${every} __OTHER__`, values)).toThrow('__OTHER__');
});

test('an address can’t carry a directive', () => {
  expect(() => renderConfiguration(every, { ...values, ENGINE: 'x; root /' })).toThrow('ENGINE');
});
