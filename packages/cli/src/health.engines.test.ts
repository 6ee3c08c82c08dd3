import { once } from 'node:events';
import { createServer } from 'node:http';
import { createDeployment, finishCommand, freePort } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';

/** A listener at the same place that is no healthy server. */
async function startOther(answer: (end: (status: number) => void) => void): Promise<string> {
  const server = createServer((_, response) => answer((status) => response.writeHead(status).end()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('a server is alive wherever its settings say that it listens, also while its database is away', async () => {
  const deployment = await createDeployment({ store: 'disk' });
  onTestFinished(() => deployment.destroy());
  const port = await freePort();
  const settings = {
    ...deployment.environment,
    MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${port}`,
  };
  expect(await finishCommand(settings, ['health'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^millpond: no answer from http://127.0.0.1:${port}/healthz: .*ECONNREFUSED`),
    ),
  });
  const server = await deployment.start({ settings });
  const alive = {
    code: 0,
    stdout: `alive: http://127.0.0.1:${port}/healthz answers\n`,
    stderr: '',
  };
  expect(await finishCommand(settings, ['health'])).toEqual(alive);
  // As in a container, where it listens at every address.
  const everywhere = { ...settings, MILLPOND_ADMIN_LISTEN: `http://0.0.0.0:${port}` };
  expect(await finishCommand(everywhere, ['health'])).toEqual(alive);
  // It asks nothing else: with this database nobody could say anything about any.
  const away = { ...settings, MILLPOND_REGION_DB: 'postgres://a:b@127.0.0.1:1/none' };
  expect(await finishCommand(away, ['health'])).toEqual(alive);
  await server.kill('SIGTERM');
});

test('what hangs or fails there is not alive, and neither are settings that no server could have', async () => {
  const settings = {
    MILLPOND_CONTROL_DB: 'postgres://a:b@127.0.0.1:1/none',
    MILLPOND_REGION_DB: 'postgres://a:b@127.0.0.1:1/none',
    MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32, 1).toString('base64')}`,
    MILLPOND_BLOBS: 'disk',
    MILLPOND_DISK_ROOT: '/nonexistent',
  };
  const ask = async (admin: string, seconds = '60') => {
    const { code, stderr } = await finishCommand({ ...settings, MILLPOND_ADMIN_LISTEN: admin }, [
      'health',
      '--timeout',
      seconds,
    ]);
    return { code, stderr };
  };
  const hanging = await startOther(() => undefined);
  expect(await ask(hanging, '0.5')).toEqual({
    code: 1,
    stderr: `millpond: no answer from ${hanging}/healthz: nothing within 0.5 s\n`,
  });
  const failing = await startOther((end) => end(500));
  expect(await ask(failing)).toEqual({ code: 1, stderr: `millpond: ${failing}/healthz answered 500\n` });
  expect(await ask('8190')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('MILLPOND_ADMIN_LISTEN'),
  });
});
