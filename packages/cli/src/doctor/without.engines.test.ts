// @module-tag sandbox
/** Parts that an installation is without on purpose are no problem to `millpond doctor`; nothing else is excused. */
import type { Diagnosis } from '@millpond/server';
import { createDeployment, type Deployment, finishCommand } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../exit.ts';

/** Neither a sandbox nor ffmpeg. */
const WITHOUT_BOTH = {
  MILLPOND_SANDBOX_ROOT: '/dev/null/none',
  MILLPOND_FFMPEG: '/none/ffmpeg',
  MILLPOND_FFPROBE: '/none/ffprobe',
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
  // It makes the folders for bytes.
  await deployment.start();
});
afterAll(() => deployment?.destroy());

async function doctor(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const environment = { ...deployment.environment, ...WITHOUT_BOTH, ...settings };
  const { code, stdout, stderr } = await finishCommand(environment, ['doctor', '--json', ...args]);
  const lines = stdout.trim().split('\n').filter(Boolean);
  const found = lines.map((line) => JSON.parse(line) as Diagnosis);
  const wrong = found.filter(({ state }) => state === 'bad' || state === 'off').map(({ check }) => check);
  return { code, wrong: [...new Set(wrong)], found, stderr };
}

test('both, one and none of the parts that are off', async () => {
  expect(await doctor({})).toMatchObject({
    code: exitCodes.partial,
    wrong: ['sandbox', 'ffmpeg', 'ffprobe'],
  });
  expect(await doctor({}, '--without', 'sandbox')).toMatchObject({
    code: exitCodes.partial,
    wrong: ['ffmpeg', 'ffprobe'],
  });
  const both = await doctor({}, '--without', 'sandbox,media');
  expect(both).toMatchObject({ code: exitCodes.done, wrong: [] });
  expect(both.found).toContainEqual({ check: 'ffmpeg', state: 'skipped', said: 'off on purpose' });
});

test('what is broken stays a problem', async () => {
  const other = { MILLPOND_MASTER_KEY: `other:${Buffer.alloc(32, 7).toString('base64')}` };
  await deployment.createAccount();
  const { code, wrong } = await doctor(other, '--without', 'sandbox,media');
  expect({ code, wrong }).toEqual({ code: exitCodes.partial, wrong: ['master key'] });
});

test('a part that there is not is refused, and it is said which there are', async () => {
  const { code, stderr } = await doctor({}, '--without', 'sandbox,medium');
  expect(code).not.toBe(exitCodes.done);
  expect(stderr).toContain('There is no part "medium": they are sandbox, media.');
});
