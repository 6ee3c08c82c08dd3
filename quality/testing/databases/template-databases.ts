/**
 * Template databases with all migrations applied, so that a test file gets a copy in a fraction of a second. They are
 * named after what they were made from, and made again only when a migration changes.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnginesEnv } from '@millpond/engines';
import type { TestProject } from 'vitest/node';
import { bundledCommand } from '../bundle.ts';
import { migrationsOf, programOf, runCommand } from '../command.ts';
import { adoptDatabase, createDatabase, databaseExists, enginesServer } from './databases.ts';

const OWN_CHECKOUT = path.join(import.meta.dirname, '../../..');

export interface Templates {
  readonly control: string;
  readonly region: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  refuseSmall();
  process.env.MILLPOND_TEST_COMMAND = await bundledCommand();
  project.provide('templates', await ensureTemplates());
}

/** Small engines can't do what all tests need, and a test that is skipped unasked would look as if it had passed. */
function refuseSmall(): void {
  if (readEnginesEnv().MILLPOND_BLOBS === 'disk' && process.env.MILLPOND_TEST_SMALL !== 'true')
    throw new Error(
      'these engines are small: run the tests with --small, or all engines with `npm run engines -- up`',
    );
}

/** Creates them if they are missing; several processes may try at once. Those of another checkout are made by its own command. */
export async function ensureTemplates(server = enginesServer(), checkout?: string): Promise<Templates> {
  const version = versionOfMigrations(checkout ?? OWN_CHECKOUT);
  const templates = { control: `tpl_control_${version}`, region: `tpl_region_${version}` };
  const areThere = await Promise.all(Object.values(templates).map((name) => databaseExists(name, server)));
  if (areThere.every(Boolean)) return templates;
  const [control, region] = await Promise.all([
    createDatabase('control', undefined, server),
    createDatabase('region', undefined, server),
  ]);
  // Only the databases matter: tests that use the disk need no other engine.
  const blobs = mkdtempSync(path.join(tmpdir(), 'millpond-templates-'));
  const settings = {
    MILLPOND_CONTROL_DB: control.url,
    MILLPOND_REGION_DB: region.url,
    MILLPOND_BLOBS: 'disk',
    MILLPOND_DISK_ROOT: blobs,
  };
  const program = checkout === undefined ? undefined : programOf(checkout);
  await runCommand({ ...readEnginesEnv(), ...settings }, ['migrate'], '', program);
  rmSync(blobs, { recursive: true });
  await adoptDatabase(control, templates.control, server);
  await adoptDatabase(region, templates.region, server);
  return templates;
}

function versionOfMigrations(checkout: string): string {
  const folder = migrationsOf(checkout);
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (file.endsWith('.sql')) hash.update(file).update(readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
