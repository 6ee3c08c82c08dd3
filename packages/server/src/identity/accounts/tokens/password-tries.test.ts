import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { PasswordTries } from './password-tries.ts';

const RATES = {
  passwordTriesPerEmail: { burst: 3, perMinute: 6 },
  passwordTriesPerAccount: { burst: 10, perMinute: 6 },
};

function setUp() {
  const tries = new PasswordTries(RATES, () => 0);
  /** Whether the try was let through; it stays wrong. */
  const isLetIn = (email: string, network: string) => {
    try {
      tries.begin(email, network);
      return true;
    } catch (error) {
      if (error instanceof Fault && error.fault === 'failedRequest') return false;
      throw error;
    }
  };
  return { tries, isLetIn };
}

test('wrong passwords close an address to one network only, however it is written', () => {
  const { isLetIn } = setUp();
  const spellings = ['kate@example.com', 'KATE@example.com', '\u212Aate@example.com'];
  for (const spelling of spellings) expect(isLetIn(spelling, '192.0.2.9')).toBe(true);
  for (const spelling of spellings) expect(isLetIn(spelling, '192.0.2.9')).toBe(false);
  expect(isLetIn('kate@example.com', '192.0.2.10')).toBe(true);
  expect(isLetIn('ada@example.com', '192.0.2.9')).toBe(true);
});

test('right passwords and what was not compared count nothing', () => {
  const { tries, isLetIn } = setUp();
  for (let i = 0; i < 100; i++) tries.begin('ada@example.com', '192.0.2.9').wasRight();
  for (let i = 0; i < 100; i++) tries.begin('ada@example.com', '192.0.2.9').wasNotJudged();
  for (let i = 0; i < 3; i++) expect(isLetIn('ada@example.com', '192.0.2.9')).toBe(true);
  expect(isLetIn('ada@example.com', '192.0.2.9')).toBe(false);
});

test('over all networks there is a limit too, but not where the right password came from', () => {
  const { tries, isLetIn } = setUp();
  tries.begin('ada@example.com', '192.0.2.1').wasRight();
  let guesses = 0;
  for (let network = 0; network < 100; network++)
    for (let i = 0; i < 3; i++) if (isLetIn('ada@example.com', `198.51.100.${network}`)) guesses++;
  expect(guesses).toBe(10);
  expect(isLetIn('ada@example.com', '192.0.2.2')).toBe(false);
  expect(isLetIn('ada@example.com', '192.0.2.1')).toBe(true);
});
