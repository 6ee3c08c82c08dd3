/** An operator's acts on the deployment under test. */
import { randomBytes } from 'node:crypto';
import { type Account, runCommand } from '@millpond/testing';
import { target } from '../target.ts';
import { newEmail, type Person } from './accounts.ts';

type Environment = Readonly<Record<string, string>>;

/** Standard output of a `millpond` command that ended well. */
export function operate(
  args: readonly string[],
  environment: Environment = target.environment,
  input = '',
): Promise<string> {
  return runCommand(environment, args, input);
}

/** A parent account with a password. */
export async function createParent(environment: Environment = target.environment): Promise<Person> {
  const password = randomBytes(9).toString('base64');
  const args = ['account', 'create', newEmail(), '--json', '--password'];
  const created = JSON.parse(await runCommand(environment, args, `${password}\n`)) as Account;
  return { ...created, password };
}

/** What the audit log says of an e-mail or access key, newest first. */
export async function auditOf(
  subject: string,
  environment: Environment = target.environment,
): Promise<Record<string, string>[]> {
  const lines = await runCommand(environment, ['audit', '--target', subject, '--json']);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string>);
}
