/** A database that a development version made is refused wherever somebody meets it, with what to do. */
import { createDeployment, type Deployment, finishCommand } from '@millpond/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROBLEM =
  'the schema region was made by a development version before 0.2.0 (0001_objects.sql), and nothing migrates it';
const REMEDY = 'give this version empty databases';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
  const region = new pg.Client({ connectionString: deployment.environment.MILLPOND_REGION_DB });
  await region.connect();
  await region.query(
    `UPDATE region.migrations SET file = '0001_objects.sql' WHERE file = '0001_baseline.sql'`,
  );
  await region.end();
});
afterAll(() => deployment?.destroy());

test.each(['migrate', 'serve'])('by millpond %s', async (command) => {
  const { code, stderr } = await finishCommand(deployment.environment, [command]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${PROBLEM}: ${REMEDY}`);
});

test('by millpond doctor', async () => {
  const { stdout } = await finishCommand(deployment.environment, ['doctor']);
  expect(stdout).toContain(`BAD   database region: ${PROBLEM}\n      → ${REMEDY}`);
});
