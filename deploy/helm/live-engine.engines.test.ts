// @module-tag linux
// @module-tag nginx
/** The first container of a live pod writes a configuration that nginx takes and in which nothing is left open. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { RTMP_PROGRAM } from '@millpond/server/rtmp-engine';
import { expect, onTestFinished, test } from 'vitest';
import { LIVE, renderChart } from './render.ts';

const run = promisify(execFile);

/** Runs it as a pod would, with the pod's folders in one of ours. */
async function configure(secret: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-live-pod-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const manifests = await renderChart([], ...LIVE);
  const pod = manifests.find(({ kind }) => kind === 'StatefulSet')?.spec.template.spec;
  const template = manifests.find(({ kind, data }) => kind === 'ConfigMap' && 'nginx-rtmp.conf' in data);
  const [{ command, args }] = pod.initContainers;
  const places = ['/etc/millpond/secrets', '/template', '/engine', '/var/lib/millpond/live'];
  for (const place of places) await mkdir(path.join(folder, place), { recursive: true });
  await writeFile(path.join(folder, places[0] ?? '', 'MILLPOND_LIVE_HOOK_SECRET'), `${secret}\n`);
  await writeFile(path.join(folder, '/template/nginx-rtmp.conf'), template?.data['nginx-rtmp.conf'] ?? '');
  const script = places.reduce(
    (text: string, place) =>
      text.replaceAll(new RegExp(`(?<=[\\s"|])${place}(?=[/|"\\s])`, 'g'), path.join(folder, place)),
    args[0] as string,
  );
  await run(command[0], [...command.slice(1), script], {
    env: { PATH: process.env.PATH, POD_INDEX: '2', POD_IP: '127.0.0.1' },
  });
  return path.join(folder, 'engine/nginx.conf');
}

test('nginx takes it, and it names this engine, its folder and the hooks', async () => {
  const file = await configure('c2VjcmV0+/=');
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('{{');
  expect(text).toContain('X-Live-Secret c2VjcmV0+/=;');
  expect(text).toContain('proxy_pass http://millpond-hooks:8102/v1/hooks/live-2;');
  expect(text).toMatch(/record_path .*\/var\/lib\/millpond\/live\/live-2;/);
  // No such name outside of a cluster.
  await writeFile(file, text.replaceAll('millpond-hooks', '127.0.0.1'));
  const { stderr } = await run(RTMP_PROGRAM, ['-t', '-c', file]);
  expect(stderr).toContain('test is successful');
});

test('a secret that would be more than one word of the configuration is refused', async () => {
  await expect(configure('x; } evil')).rejects.toThrow('letters, digits and');
});
