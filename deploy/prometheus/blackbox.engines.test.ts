/** What blackbox_exporter takes for an answer is what a server answers that is well, under each of its names. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { createDeployment, destroyDeployments } from '@millpond/testing';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

/** The console's is not among them: it answers 200 with its pages, which a checkout need not have. */
const ROLES = ['up', 'io', 'rs', 'rsf', 'uc', 'api', 'auth', 'live', 's3'];

afterAll(destroyDeployments);

async function statusAt(url: string, host: string): Promise<number | undefined> {
  const asked = request(url, { headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test.each([
  ['names of their own', ROLES.map((role) => `${role}=${role}.example.com`).join(',')],
  ['one name', ''],
])('healthy gateways with %s are found so', async (_, hosts) => {
  const text = await readFile(path.join(import.meta.dirname, 'blackbox.yaml'), 'utf8');
  const { valid_status_codes: valid } = parse(text).modules.millpond_https.http;
  const deployment = await createDeployment({ store: 'disk', settings: { MILLPOND_HOSTS: hosts } });
  const { url } = await deployment.start();
  for (const role of ROLES) expect(valid, role).toContain(await statusAt(url, `${role}.example.com`));
  // As what nginx answers when no gateway does, and a gateway whose database is away.
  for (const status of [502, 503, 504, 599]) expect(valid).not.toContain(status);
});
