/** `millpond doctor` about the text that a database holds: its encoding, and the letters that its locale knows. */
import { createDatabase, createDeployment, type Deployment, finishCommand } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
});
afterAll(() => deployment?.destroy());

/** What it says of text, with a migrated control database of this kind. */
async function saidOfText(locale: string, encoding = 'UTF8'): Promise<string[]> {
  const database = await createDatabase('locale', `template0 ENCODING ${encoding}`, undefined, locale);
  try {
    const environment = { ...deployment.environment, MILLPOND_CONTROL_DB: database.url };
    await finishCommand(environment, ['migrate']);
    const { stdout } = await finishCommand(environment, ['doctor']);
    return stdout.split('\n').filter((line) => line.includes('text of database'));
  } finally {
    await database.drop();
  }
}

test('a locale that knows letters of all scripts is not worth a word', async () => {
  expect(await saidOfText('C.UTF-8')).toEqual([]);
});

test('one that knows ASCII only is bad: servers of the version before compare addresses by it', async () => {
  expect(await saidOfText('C')).toEqual([
    'BAD   text of database control: LC_CTYPE is C: servers of the version before know letters of ASCII only',
  ]);
});

test('an encoding that does not hold all text is bad', async () => {
  expect(await saidOfText('C', 'SQL_ASCII')).toEqual([
    'BAD   text of database control: its encoding is SQL_ASCII',
  ]);
});
