/** One of everything that an account can have and that is called by an id, and the calls that take such ids. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  createBucket,
  openEventProducer,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { submitted } from '../objects/processing.ts';
import { type Secure, secureSigned } from '../running/secure.ts';
import type { SecureDeployment } from '../running/secure-deployment.ts';
import type { Call } from '../signing.ts';
import type { Row } from './access-matrix/index.ts';
import type { Person } from './accounts.ts';

/** Well-formed ids that nobody has. */
export const NOBODYS = {
  endpoint: '999999999',
  delivery: '01900000-0000-7000-8000-000000000000',
  task: `z0.${'0'.repeat(40)}`,
  workflow: 'no-such-workflow',
  trigger: '01900000-0000-7000-8000-000000000000',
  pipeline: 'no-such-pipeline',
  template: 'nosuchlivexx',
  namespace: 'nosuchlivexx',
  stream: 'no-such-stream',
  /** The namespace of the device. */
  devices: 'nosuchliveyy',
  device: '34020000001329999999',
  channel: '34020000001319999999',
  bulk: '01900000-0000-7000-8000-000000000000',
  fetch: '01900000-0000-7000-8000-000000000000',
  request: 'nosuchrequest0000',
  key: 'no-such-key-000000000000000000000000000',
  bucket: 'no-such-bucket',
  session: '01900000-0000-7000-8000-000000000000',
} as const;

export type Ids = Readonly<Record<keyof typeof NOBODYS, string>>;

/** By the beginning of the paths that they stand in, in the order in which they stand there. */
const PATHS: Readonly<Record<string, readonly (keyof Ids)[]>> = {
  '/v1/trash/': ['bucket'],
  '/v1/bulk/': ['bulk'],
  '/v1/deliveries/endpoints/': ['endpoint'],
  '/v1/deliveries/': ['delivery'],
  '/v1/sessions/': ['session'],
  '/v1/access-tokens/': ['session'],
  '/v1/requests/': ['request'],
  '/v1/tasks/': ['task'],
  '/v1/workflows/': ['workflow'],
  '/v1/triggers/': ['trigger'],
  '/v1/pipelines/': ['pipeline'],
  '/v1/templates/': ['template'],
  '/v1/namespaces/:ns/devices': ['devices', 'device', 'channel'],
  '/v1/namespaces/': ['namespace', 'stream'],
};

/** `name`: what all is called that the account names itself. */
export async function makeOwned(own: SecureDeployment, keys: Person, name: string): Promise<Ids> {
  const { at, server, deployment } = own;
  const call = async (method: string, target: string, body?: object): Promise<{ id: string }> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body), contentType: 'application/json' };
    const answer = await secureSigned({ method, target, ...content }, { keys, at });
    if (answer.status !== 200 && answer.status !== 202)
      throw new Error(`${method} ${target}: ${answer.status} ${answer.text()}`);
    return (answer.body.length === 0 ? {} : answer.json()) as { id: string };
  };
  await createBucket(server.url, keys, name);
  await uploadForm(server.url, 'hello', { token: uploadToken(keys, { scope: name }), key: 'k' });
  const producer = openEventProducer(deployment.environment.MILLPOND_REGION_DB ?? '');
  const event = { uid: keys.uid, url: 'http://192.0.2.1/', endpoint: name };
  const [{ id: delivery }] = [await producer.add(event), await producer.add(event)];
  await producer.close();
  const record = (await call('GET', `/v1/deliveries/${delivery}`)) as unknown as { endpoint: string };
  await call('PUT', `/v1/workflows/${name}`, { commands: 'imageInfo' });
  await call('PUT', `/v1/pipelines/${name}`, { concurrency: 1 });
  const trigger = await call('POST', '/v1/triggers', { bucket: name, workflow: name });
  const template = await call('POST', '/v1/templates', { name, bucket: name });
  const namespace = await call('POST', '/v1/namespaces', { name });
  await call('POST', `/v1/namespaces/${namespace.id}/streams`, { streamId: name });
  const devices = await call('POST', '/v1/namespaces', { name: `${name}-devices`, accessType: 'gb28181' });
  // Each account has a device of its own: two may have the same id.
  const device = `3402000000132${String(keys.uid % 10 ** 7).padStart(7, '0')}`;
  await call('POST', `/v1/namespaces/${devices.id}/devices`, { gbId: device, password: 'p4ssw0rd' });
  const address = { url: 'http://192.0.2.1/', bucket: name, key: 'fetched' };
  const bulk = await call('POST', '/v1/bulk', { kind: 'delete', bucket: name, keys: ['none'] });
  const fetch = await call('POST', '/sisyphus/fetch', address);
  return {
    endpoint: record.endpoint,
    delivery,
    workflow: name,
    trigger: trigger.id,
    pipeline: name,
    task: await submitted({ bucket: name, key: 'k', fops: 'avinfo' }, { keys, at }),
    template: template.id,
    namespace: namespace.id,
    stream: name,
    devices: devices.id,
    device,
    channel: NOBODYS.channel,
    bulk: bulk.id,
    fetch: fetch.id,
    key: keys.accessKey,
    bucket: name,
    session: (await signIn(own.console, keys)).state.id,
    request: await refused(keys, at),
  };
}

/** The id of a request that was refused, once what became of it can be looked up. */
async function refused(keys: Account, at: Secure): Promise<string> {
  const get = (target: string) => secureSigned({ method: 'GET', target, contentType: null }, { keys, at });
  const id = (await get(`/v1/tasks/${NOBODYS.task}`)).header('x-reqid') ?? '';
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    if ((await get(`/v1/requests/${id}`)).status === 200) return id;
    if (Date.now() > end) throw new Error(`nothing is known of the request ${id}`);
  }
}

/** The path of a route with these ids in it; undefined: it takes none. Names that an account gives by PUT are its own. */
export function withIds({ methods, path }: Row, ids: Ids): string | undefined {
  const [, names] = Object.entries(PATHS).find(([begin]) => path.startsWith(begin)) ?? [];
  if (names === undefined || methods === 'PUT' || !path.includes('/:')) return undefined;
  let at = 0;
  return path.replaceAll(/:\w+/g, () => ids[names[at++] ?? 'channel']);
}

const get = (target: string): Call => ({ method: 'GET', target });
const form = (target: string, fields: Record<string, string>): Call => ({
  target,
  body: new URLSearchParams(fields).toString(),
});
const json = (target: string, fields: object): Call => ({
  target,
  body: JSON.stringify(fields),
  contentType: 'application/json',
});

/** Calls that take an id elsewhere than in their path. `mine`: what the caller has. */
export const lookups: Readonly<Record<string, (ids: Ids, mine: Ids, owner: Account) => Call>> = {
  'deliveries of an endpoint': ({ endpoint }) => get(`/v1/deliveries?endpoint=${endpoint}&limit=1`),
  'deliveries after one': ({ delivery }) => get(`/v1/deliveries?marker=${delivery}&limit=1`),
  'deliveries of an endpoint after one': ({ delivery }, { endpoint }) =>
    get(`/v1/deliveries?endpoint=${endpoint}&marker=${delivery}&limit=1`),
  'deliveries in a state after one': ({ delivery }) =>
    get(`/v1/deliveries?state=waiting&marker=${delivery}&limit=1`),
  'endpoints after one': ({ endpoint }) => get(`/v1/deliveries/endpoints?marker=${endpoint}&limit=1`),
  'recover an endpoint': ({ endpoint }) => form('/v1/deliveries/recover', { since: '1', endpoint }),
  'replay an endpoint': ({ endpoint }) => form('/v1/deliveries/replay', { since: '1', endpoint }),
  'replay after one': ({ delivery: marker }) => form('/v1/deliveries/replay', { since: '1', marker }),
  'the state of a fetch': ({ fetch }) => get(`/sisyphus/fetch?id=${fetch}`),
  'disable a key': ({ key }) => form('/v1/user/disable_key', { key }),
  'enable a key': ({ key }) => form('/v1/user/enable_key', { key }),
  'delete a key': ({ key }) => form('/v1/user/delete_key', { key }),
  'a namespace with a template': ({ template: recordTemplateId }) =>
    json('/v1/namespaces', { name: 'another', recordTemplateId }),
  'a stream with a template': ({ template: recordTemplateId }, { namespace }) =>
    json(`/v1/namespaces/${namespace}/streams`, { streamId: 'another', recordTemplateId }),
  'a template of a bucket': ({ bucket }) => json('/v1/templates', { name: 'another', bucket }),
  'a trigger of a bucket': ({ bucket }, { workflow }) => json('/v1/triggers', { bucket, workflow }),
  'a trigger of a workflow': ({ workflow }, { bucket }) => json('/v1/triggers', { bucket, workflow }),
  'triggers of a bucket': ({ bucket }) => get(`/v1/triggers?bucket=${bucket}`),
  'tasks of a bucket': ({ bucket }) => get(`/v1/tasks?bucket=${bucket}`),
  'tasks of a pipeline': ({ pipeline }, _mine, { uid }) => get(`/v1/tasks?pipeline=${uid}.${pipeline}`),
  'a task by a workflow': ({ workflow: workflowTemplateID }, { bucket }) =>
    form('/pfop/', { bucket, key: 'k', workflowTemplateID }),
  'a task in a pipeline': ({ pipeline }, { bucket }, { uid }) =>
    form('/pfop/', { bucket, key: 'k', fops: 'avinfo', pipeline: `${uid}.${pipeline}` }),
  'bulk work on a bucket': ({ bucket }) => json('/v1/bulk', { kind: 'delete', bucket, prefix: '' }),
  'usage of a bucket': ({ bucket }) => get(`/v1/usage?bucket=${bucket}`),
};
