// @module-tag debian
/** `millpond doctor` about the PostgreSQL that it finds: a standby, and how safe its commits are. */
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import { createDeployment, type Deployment, finishCommand, freePort } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let primary: SparePostgres;
let standby: SparePostgres;
let deployment: Deployment;

beforeAll(async () => {
  primary = await startSparePostgres(await freePort());
  deployment = await createDeployment({ store: 's3', databaseServer: primary.url });
  standby = await primary.standby(await freePort());
}, 120_000);
afterAll(async () => {
  await deployment?.destroy();
  await standby?.destroy();
  await primary?.destroy();
}, 60_000);

async function doctor(settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await finishCommand({ ...deployment.environment, ...settings }, ['doctor']);
  return stdout;
}

/** The same database on other hosts. */
function at(hosts: string): Record<string, string> {
  const { username, password, pathname } = new URL(deployment.environment.MILLPOND_REGION_DB ?? '');
  return { MILLPOND_REGION_DB: `postgres://${username}:${password}@${hosts}${pathname}` };
}

const hostOf = (server: SparePostgres) => new URL(server.url).host;

test('says of a standby that it is one, and finds the primary in a list', async () => {
  const alone = await doctor(at(hostOf(standby)));
  expect(alone).toContain(
    `BAD   database region: ${hostOf(standby)} is a standby\n      → name the primary in`,
  );
  const listed = await doctor(at(`${hostOf(standby)},${hostOf(primary)}`));
  expect(listed).toContain('good  database region: reached, up to date');
  const migrated = await finishCommand(
    { ...deployment.environment, ...at(`${hostOf(standby)},${hostOf(primary)}`) },
    ['migrate'],
  );
  expect(migrated).toMatchObject({ code: 0, stdout: 'up to date\n' });
});

test('advises a synchronous standby, and finds commits that wait for nothing', async () => {
  expect(await doctor()).toContain('note  commits of database region: wait for no standby');
  await primary.configure(`synchronous_commit = off`);
  expect(await doctor()).toContain('BAD   commits of database region: synchronous_commit is off');
  await primary.configure(`synchronous_commit = on\nsynchronous_standby_names = '*'`);
  expect(await doctor()).not.toContain('commits of database');
});
