/** What became of single requests: each step of them, to whoever made them, and nothing that is secret. */
import {
  type Account,
  createBucket,
  openRegionDatabase,
  signedFetch,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { expectRefusalOf } from '../support/expectations.ts';
import { image } from '../support/objects/processing.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

interface Step {
  readonly at: number;
  readonly ms: number;
  readonly kind: string;
  readonly name: string;
  readonly words?: string;
  readonly ok: boolean;
}

interface Trace {
  readonly steps: readonly Step[];
  readonly caused: {
    readonly tasks: readonly object[];
    readonly deliveries: readonly object[];
    readonly audit: readonly object[];
  };
  readonly [field: string]: unknown;
}

const operator = { email: 'operator@traces.example.com', password: 'correct horse battery' };
const own = useSecureDeployment({
  // The engine is a step of every upload then.
  MILLPOND_SMALL_OBJECTS: '0B',
  MILLPOND_TRACES: 'all',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
});
const receiver = useReceiver();
const BUCKET = 'traced';
let account: Person;

beforeAll(async () => {
  account = await createParent(own.deployment.environment);
  await createBucket(own.server.url, account, BUCKET);
});

const asked = (reqid: string, keys: Account = account) =>
  secureSigned({ method: 'GET', target: `/v1/requests/${reqid}`, contentType: null }, { keys, at: own.at });

/** It is written a moment after the answer. */
async function traceOf(reqid: string | null | undefined): Promise<Trace> {
  const id = reqid ?? '';
  await expect.poll(async () => (await asked(id)).status, { timeout: 60_000 }).toBe(200);
  return (await asked(id)).json() as Trace;
}

async function shownToOperators(reqid: string): Promise<Trace> {
  const text = await operate(['request', 'show', reqid, '--json'], own.deployment.environment);
  return JSON.parse(text) as Trace;
}

const stepsOf = ({ steps }: Trace, kind: string) => steps.filter((step) => step.kind === kind);

function put(
  policy: Record<string, unknown>,
  key: string,
  content: string | Uint8Array<ArrayBuffer> = 'content',
) {
  const token = uploadToken(account, { scope: BUCKET, ...policy });
  return uploadForm(own.server.url, content, { token, key });
}

test('a refused upload says who made it, how far it came and what was wrong [trace-01 trace-02]', async () => {
  const answer = await put({ fsizeLimit: 3 }, 'too-large');
  expect(answer.status).toBe(413);
  const trace = await traceOf(answer.headers.get('x-reqid'));
  expect(trace).toMatchObject({
    method: 'POST',
    path: '/',
    role: 'up',
    status: 413,
    address: '127.0.0.1',
    uid: account.uid,
    accessKey: account.accessKey,
    fault: expect.any(String),
    caused: { tasks: [], deliveries: [], audit: [] },
  });
  expect(stepsOf(trace, 'auth')).toMatchObject([{ name: 'signature', ok: true }]);
  expect(trace.steps.at(-1)).toMatchObject({ kind: 'judge', name: trace.fault, ok: false });
  const times = trace.steps.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(Math.abs(Date.now() - Date.parse(String(trace.at)))).toBeLessThan(3_600_000);

  // A token that has expired is still the account's own.
  const late = await put({ deadline: 1_000_000_000 }, 'late');
  expect(late.status).toBe(401);
  expect(await traceOf(late.headers.get('x-reqid'))).toMatchObject({
    fault: 'expiredToken',
    uid: account.uid,
  });
});

test('a callback that answered 502 is a step, and its delivery is what the request caused [trace-01 trace-03]', async () => {
  const endpoint = receiver.at(
    (response) => response.writeHead(502).end('bad gateway'),
    '/hook?token=t0ps3cret',
  );
  const answer = await put({ callbackUrl: endpoint.url, callbackBody: 'key=$(key)' }, 'called');
  expect(answer.status).toBe(579);
  const trace = await traceOf(answer.headers.get('x-reqid'));
  const origin = new URL(endpoint.url).origin;
  expect(stepsOf(trace, 'callback')).toMatchObject([
    { name: `POST ${origin}`, ok: false, words: 'answered 502' },
  ]);
  expect(stepsOf(trace, 'engine')).toMatchObject([{ ok: true }]);
  expect(stepsOf(trace, 'statement').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['delivery-insert', 'delivery-settle']),
  );
  expect(trace.caused.deliveries).toMatchObject([
    { kind: 'callback', state: 'failed', subject: `${BUCKET}:called` },
  ]);
  expect(JSON.stringify({ ...trace, caused: undefined })).not.toContain('t0ps3cret');
});

test('a failure of the engine is named, to operators too where nobody signed [trace-01 trace-04]', async () => {
  expect((await put({}, 'lost')).status).toBe(200);
  const database = await openRegionDatabase(own.deployment.environment.MILLPOND_REGION_DB ?? '');
  await database.loseBytes('lost');
  await database.close();
  const answer = await fetch(`${own.server.url}/${BUCKET}/lost`);
  expect(answer.status).toBe(599);
  const reqid = answer.headers.get('x-reqid') ?? '';
  const trace = async () => shownToOperators(reqid).catch(() => undefined);
  await expect.poll(trace, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 599, role: 'io' });
  const found = await shownToOperators(reqid);
  expect(stepsOf(found, 'engine')).toMatchObject([
    { ok: false, words: expect.stringMatching(/missing|failed/) },
  ]);
  expect(found.uid).toBeUndefined();
  // Nobody's credential was shown: it is nobody's to see.
  expectRefusalOf(await asked(reqid), 612, 'no such file or directory');
});

describe('what a request caused', () => {
  test('is a task, and the notification of its end [trace-03]', async () => {
    const endpoint = receiver.at(json({}));
    // No worker runs here: a submit would be refused, and an upload with commands is not.
    const policy = { persistentOps: 'imageInfo', persistentNotifyUrl: endpoint.url };
    const uploaded = await put(policy, 'image', await image());
    const { persistentId: id } = (await uploaded.json()) as { persistentId: string };
    const task = await secureSigned(
      { method: 'GET', target: `/v1/tasks/${id}`, contentType: null },
      { keys: account, at: own.at },
    );
    const { reqid } = task.json() as { reqid: string };
    // This is its end.
    const cancel = { method: 'POST', target: `/v1/tasks/${id}/cancel`, contentType: null };
    expect((await secureSigned(cancel, { keys: account, at: own.at })).status).toBe(200);
    const trace = await traceOf(reqid);
    expect(trace.caused.deliveries).toMatchObject([{ kind: 'notification', subject: id, reqid }]);
    expect(trace.caused.tasks).toMatchObject([{ id, inputKey: 'image' }]);
    expect(stepsOf(trace, 'job')).toMatchObject([{ name: 'task', ok: true }]);
  });

  test('is an act in the audit log [trace-03]', async () => {
    const body = 'kind=user';
    const made = await secureSigned({ target: '/v1/user/create_key', body }, { keys: account, at: own.at });
    expect(made.status, made.text()).toBe(200);
    const trace = await traceOf(made.header('x-reqid'));
    expect(trace.caused.audit).toMatchObject([{ action: 'key.create', result: 'ok' }]);
    const { secret } = made.json() as { secret?: string };
    expect(JSON.stringify(trace)).not.toContain(secret ?? account.secretKey);
  });
});

test('a call of the console says in which session it was made; an operator’s session sees all [trace-02 trace-04]', async () => {
  const user = await signIn(own.console, account);
  const answer = await user.call('rs', `/stat/${btoa(`${BUCKET}:nothing`)}`);
  expect(answer.status).toBe(612);
  const reqid = answer.header('x-reqid') ?? '';
  expect(await traceOf(reqid)).toMatchObject({
    uid: account.uid,
    session: user.state.id,
    role: 'console',
    status: 612,
    path: `/call/rs/stat/${btoa(`${BUCKET}:nothing`)}`,
  });
  await operate(
    ['account', 'create', operator.email, '--password', '--operator'],
    own.deployment.environment,
    `${operator.password}\n`,
  );
  const seen = async (who: Pick<Person, 'email' | 'password'>) =>
    (await (await signIn(own.console, who)).call('api', `/v1/requests/${reqid}`)).status;
  expect([await seen(await createParent(own.deployment.environment)), await seen(operator)]).toEqual([
    612, 200,
  ]);
});

test('a signed URL is shown without its token, to its signer alone [trace-02]', async () => {
  const signed = await signedFetch(
    own.server.url,
    account,
    `/stat/${btoa(`${BUCKET}:nothing`)}?token=t0ps3cret`,
    {
      method: 'GET',
    },
  );
  const reqid = signed.headers.get('x-reqid') ?? '';
  const trace = await traceOf(reqid);
  expect(trace).toMatchObject({ path: `/stat/${btoa(`${BUCKET}:nothing`)}` });
  expect(JSON.stringify(trace)).not.toContain('t0ps3cret');
  const stranger = await createParent(own.deployment.environment);
  const theirs = await asked(reqid, stranger);
  const nobodys = await asked('nosuchrequest0000', stranger);
  expect([theirs.status, theirs.text()]).toEqual([612, nobodys.text()]);
  // Whoever knows only the access key has proven nothing.
  const forged = { ...account, secretKey: 'x'.repeat(40) };
  const refused = await secureSigned(
    { method: 'GET', target: '/v1/tasks', contentType: null },
    { keys: forged, at: own.at },
  );
  expect(refused.status).toBe(401);
  await traceOf((await asked(reqid)).header('x-reqid'));
  expect((await asked(refused.header('x-reqid') ?? '')).status).toBe(612);
});
