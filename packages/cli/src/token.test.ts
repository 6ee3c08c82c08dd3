/** `millpond token`, which needs a key and no server. */
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { exitCodes } from './exit.ts';

const KEYS = { MILLPOND_ACCESS_KEY: 'an-access-key', MILLPOND_SECRET_KEY: 'a-secret-key' };
const token = (...args: string[]) => finishCommand(KEYS, ['token', ...args]);

test('make refuses fields of a policy that no server knows, and names those that were meant', async () => {
  const policy = '{"fsizeLimt": 1, "colour": "blue", "callbackURL": "http://x/"}';
  const refused = await token('make', 'photos', '--policy', policy);
  expect(refused).toEqual({
    code: exitCodes.usage,
    stdout: '',
    stderr:
      'millpond: no server knows these policy fields: fsizeLimt (did you mean fsizeLimit?), colour, ' +
      'callbackURL (did you mean callbackUrl?); --allow-unknown signs them anyway\n',
  });
});

test('make refuses a policy that a server would, in one line', async () => {
  const refused = await token('make', 'photos', '--policy', '{"fsizeLimit": "1"}');
  expect(refused).toMatchObject({
    code: exitCodes.usage,
    stderr: 'millpond: invalid put policy: fsizeLimit must be a whole number\n',
  });
});

test('explain says which fields have no effect', async () => {
  const made = await token('make', 'photos', '--policy', '{"fsizeLimt": 1}', '--allow-unknown');
  expect(made.code).toBe(exitCodes.done);
  const explained = await token('explain', made.stdout.trim());
  expect(explained.stdout).toContain(
    'no effect     fsizeLimt (did you mean fsizeLimit?): no server knows such a field\n',
  );
  const { stdout } = await token('explain', made.stdout.trim(), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ unknownFields: [{ name: 'fsizeLimt', meant: 'fsizeLimit' }] });
});
