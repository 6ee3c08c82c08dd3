import { expect, test, vi } from 'vitest';
import { jsonText, printRows } from './print.ts';

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

test('whole numbers are numbers in JSON as far as a number is exact, and text beyond', () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  expect(jsonText({ uid: 7n, most, putTime: 17_631_234_567_890_123n, over: most + 1n })).toBe(
    '{"uid":7,"most":9007199254740991,"putTime":"17631234567890123","over":"9007199254740992"}',
  );
});
