/** What operators' tools ask of the S3 port that is no call of S3: health, metrics, other services of AWS. */
import { freePort } from '@millpond/testing';
import { expect, test } from 'vitest';
import { startCommand } from '../support/running/command.ts';
import { expectS3Refusal, s3 } from '../support/s3/signed.ts';
import { target } from '../support/target.ts';

const adminPort = new URL(target.adminUrl).port;
const OURS = `the listener of MILLPOND_ADMIN_LISTEN (port ${adminPort})`;
const anonymous = (path: string, method = 'GET') => s3(path, { method, by: 'nobody' });

test.each([
  ['/minio/health/live', `alive; Millpond’s own path is /healthz at ${OURS}\n`],
  ['/minio/health/ready', `ready; Millpond’s own path is /readyz at ${OURS}\n`],
  ['/minio/health/cluster', `ready; Millpond’s own path is /readyz at ${OURS}\n`],
  [
    '/minio/health/cluster?verify=true&maintenance=true',
    `ready; Millpond’s own path is /readyz at ${OURS}\n`,
  ],
  ['/minio/health/cluster/read', `ready; Millpond’s own path is /readyz at ${OURS}\n`],
])('%s is answered, and says where our own is [s3-probe-01]', async (path, words) => {
  const answer = await anonymous(path);
  expect([answer.status, answer.text]).toEqual([200, words]);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const head = await anonymous(path, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
});

test.each([
  '/minio/v2/metrics/cluster',
  '/minio/v2/metrics/node',
  '/minio/prometheus/metrics',
  '/minio/metrics/v3',
  '/minio/metrics/v3/api/requests',
])('%s says where ours are, with a token or without [s3-probe-02]', async (path) => {
  for (const headers of [{}, { authorization: 'Bearer eyJhbGciOiJIUzUxMiJ9.e30.x' }]) {
    const answer = await s3(path, { by: 'nobody', headers });
    expect([answer.status, answer.text]).toEqual([404, `Millpond’s metrics are at /metrics of ${OURS}\n`]);
  }
  expect((await fetch(`${target.adminUrl}/metrics`)).status).toBe(200);
});

test('what is signed, and other paths and methods, are calls of S3 [s3-probe-03]', async () => {
  expectS3Refusal(await s3('/minio/health/live'), 404, 'NoSuchBucket');
  expectS3Refusal(await s3('/minio/v2/metrics/cluster'), 404, 'NoSuchBucket');
  expectS3Refusal(await anonymous('/minio/health/dead'), 404, 'NoSuchBucket');
  expectS3Refusal(await anonymous('/minio/health/live', 'DELETE'), 404, 'NoSuchBucket');
  expectS3Refusal(await anonymous('/minio'), 404, 'NoSuchBucket');
});

test.each([
  ['GetCallerIdentity', 'Action=GetCallerIdentity&Version=2011-06-15', 'GetCallerIdentity'],
  ['AssumeRole', 'Action=AssumeRole&RoleArn=arn:aws:iam::1:role/r&Version=2011-06-15', 'AssumeRole'],
  ['ListUsers', 'Action=ListUsers&Version=2010-05-08', 'ListUsers'],
  ['an action that is none', 'Action=%3CScript%3E', 'other services of AWS'],
  ['nothing', '', 'other services of AWS'],
])(
  'POST / with %s is refused in the form of the services of AWS [s3-service-01]',
  async (_what, body, named) => {
    for (const by of [target.account, 'nobody'] as const) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
      const answer = await s3('/', { method: 'POST', by, headers, body });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/xml']);
      const form =
        /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<ErrorResponse><Error><Type>Sender<\/Type><Code>InvalidAction<\/Code><Message>([^<]*)<\/Message><\/Error><RequestId>([^<]+)<\/RequestId><\/ErrorResponse>$/;
      const [, message, id] = form.exec(answer.text) ?? [answer.text];
      expect(message).toContain(`has no ${named}: access keys`);
      expect(id).toBe(answer.headers.get('x-reqid'));
    }
  },
);

test('another POST to the root is no call of S3', async () => {
  expectS3Refusal(await s3('/', { method: 'POST', body: 'x' }), 405, 'MethodNotAllowed');
});

test('while the server is leaving, it is alive and not ready [s3-probe-01]', async () => {
  const [url, s3Url, adminUrl] = [await freeUrl(), await freeUrl(), await freeUrl()];
  const command = startCommand(['serve', '--no-work'], {
    ...target.environment,
    MILLPOND_LISTEN: `${url},${s3Url}/s3`,
    MILLPOND_ADMIN_LISTEN: adminUrl,
    MILLPOND_DRAIN_DELAY: '10m',
  });
  const statuses = async () => {
    const asked = ['live', 'ready', 'cluster'].map((name) => fetch(`${s3Url}/minio/health/${name}`));
    return (await Promise.all(asked).catch(() => [])).map(({ status }) => status);
  };
  await expect.poll(statuses, { interval: 100 }).toEqual([200, 200, 200]);
  command.process.kill('SIGTERM');
  await expect.poll(statuses, { interval: 100 }).toEqual([200, 503, 503]);
  expect(await (await fetch(`${s3Url}/minio/health/ready`)).text()).toMatch(/^not ready; Millpond’s own/);
});

const freeUrl = async () => `http://127.0.0.1:${await freePort()}`;
