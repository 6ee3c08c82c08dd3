/** Too late, too many, or no sandbox: uploads go on, the variables have no value, and the server says why. */
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { freePort } from '@millpond/testing';
import { expect, test } from 'vitest';
import { image, sandboxWorks, useInspectionDeployment, video } from '../support/objects/inspection.ts';
import { startCommand } from '../support/running/command.ts';
import { descendantsOf, isAlive } from '../support/running/processes.ts';

const WIDTHS = '{"image":$(imageInfo.width),"video":$(avinfo.video.width)}';

const looking = useInspectionDeployment();

test.runIf(sandboxWorks)(
  'a look that takes too long has no value, and the upload is answered [var-rule-08]',
  async () => {
    const hasty = await looking.start({ MILLPOND_INSPECT_DEADLINE: '1ms' });
    for (const content of [image('p.jpg'), video()])
      expect(await hasty.told(content, WIDTHS)).toEqual({ image: null, video: null });
  },
);

test.runIf(sandboxWorks)(
  'looks beyond those that may wait have no value at once; no upload fails [var-rule-08]',
  async () => {
    const settings = { MILLPOND_INSPECT_CONCURRENCY: '1', MILLPOND_INSPECT_WAITING: '0' };
    const narrow = await looking.start(settings);
    const content = video();
    const told = await Promise.all(Array.from({ length: 12 }, () => narrow.told(content, WIDTHS)));
    const widths = told.map((each) => (each as { video: unknown }).video);
    expect(new Set(widths)).toEqual(new Set([128, null]));
    expect(await narrow.metric('millpond_inspection_seconds_count{kind="media",outcome="busy"}')).toBe(
      widths.filter((width) => width === null).length,
    );
  },
);

test.runIf(sandboxWorks)('without ffprobe only avinfo is off [var-rule-08]', async () => {
  const settings = { MILLPOND_FFPROBE: '/usr/bin/no-such-ffprobe', MILLPOND_LOG_LEVEL: 'error' };
  const images = await looking.start(settings);
  expect(await images.told(image('p.jpg'), WIDTHS)).toEqual({ image: 64, video: null });
  expect(await images.told(video(), WIDTHS)).toEqual({ image: null, video: null });
  expect(await images.metric('millpond_variables_off')).toBe(1);
});

test('without a sandbox the server starts, says in one line what is off and why, and uploads go on [var-rule-08]', async () => {
  const open = `${looking.jobs}-open`;
  mkdirSync(open);
  chmodSync(open, 0o777);
  const settings = { MILLPOND_SANDBOX_ROOT: open };
  const log = await logOf({ ...looking.deployment.environment, ...settings });
  const lines = log.filter((line) => line.includes('inspector off'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/inspector off: imageInfo, exif, imageAve, avinfo: .*changed by other users/);
  const unsandboxed = await looking.start({ ...settings, MILLPOND_LOG_LEVEL: 'error' });
  expect(await unsandboxed.told(image('p.jpg'), WIDTHS)).toEqual({ image: null, video: null });
});

test.runIf(sandboxWorks).each(['SIGTERM', 'SIGKILL'] as const)(
  '%s leaves no process behind, and a stop no file',
  async (signal) => {
    const one = await looking.start();
    const { server } = one;
    expect(await one.told(image('p.jpg'), WIDTHS)).toMatchObject({ image: 64 });
    const descendants = descendantsOf(server.pid);
    expect(descendants.length).toBeGreaterThan(0);
    const owned = readdirSync(looking.jobs).filter((name) => name.includes(`-${server.pid}-`));
    expect(owned).toHaveLength(1);
    await server.kill(signal);
    await expect.poll(() => descendants.filter(isAlive)).toEqual([]);
    if (signal === 'SIGTERM') expect(existsSync(`${looking.jobs}/${owned[0]}`)).toBe(false);
  },
);

/** Lines of a server's log from its start until it has said what is off. */
async function logOf(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const server = startCommand(['serve'], {
    ...environment,
    MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
    MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
    MILLPOND_LOG_LEVEL: 'info',
  });
  await expect
    .poll(() => server.output().includes('inspector off') && server.output().includes('"started"'), {
      timeout: 300_000,
    })
    .toBe(true);
  server.process.kill('SIGTERM');
  return (await server.finished).output.split('\n');
}
