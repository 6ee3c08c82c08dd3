import { expect, test, vi } from 'vitest';
import { printRows } from './print.ts';

function printed(options: { json?: boolean }, name: string): string {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    printRows(options, [{ name, size: 7 }], ['name', 'size']);
  } finally {
    write.mockRestore();
  }
  return written.join('');
}

test('a name in a table moves no cursor and forges no line; programs get it as it is', () => {
  const name = 'a\u001b[2J\nb  9\u202e';
  expect(printed({}, name)).toBe('NAME                        SIZE\na\\u001b[2J\\u000ab  9\\u202e  7\n');
  expect(printed({ json: true }, name)).toBe(`${JSON.stringify({ name, size: 7 })}\n`);
});
