/**
 * As much of the interface of Kubernetes as Helm needs to install a release and to upgrade it: it keeps objects in memory, and does to
 * deployments the one default that matters here. For tests.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Stored = {
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; uid?: string };
  spec?: { replicas?: number };
};
type Kinds = Readonly<Record<string, string>>;

/** The kinds of each version of an interface, by their names in paths. */
const GROUPS: Readonly<Record<string, Kinds>> = {
  v1: { secrets: 'Secret', services: 'Service', configmaps: 'ConfigMap' },
  'apps/v1': { deployments: 'Deployment' },
  'autoscaling/v2': { horizontalpodautoscalers: 'HorizontalPodAutoscaler' },
  'policy/v1': { poddisruptionbudgets: 'PodDisruptionBudget' },
};
const VERSION = { major: '1', minor: '34', gitVersion: 'v1.34.0', platform: 'linux/amd64' };

export interface Cluster {
  /** For Helm. */
  readonly kubeconfig: string;
  /** What is at `<resource>/<name>`. */
  get(key: string): Stored | undefined;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const objects = new Map<string, Stored>();
  const server = createServer((request, answer) => {
    void answerOf(objects, request).then(([status, body]) => send(answer, status, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-cluster-'));
  const kubeconfig = path.join(folder, 'kubeconfig');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(kubeconfig, configurationFor(url));
  return {
    kubeconfig,
    get: (key) => objects.get(key),
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

type ApiResponse = readonly [status: number, body: unknown];

async function answerOf(objects: Map<string, Stored>, request: IncomingMessage): Promise<ApiResponse> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster');
  const found = discovery(pathname);
  if (found !== undefined) return [200, found];
  const [, resource = '', name] = /\/namespaces\/[^/]+\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const key = `${resource}/${name}`;
  const old = objects.get(key);
  if (request.method === 'POST') {
    const made = withDefaults(resource, (await bodyOf(request)) as Stored);
    objects.set(`${resource}/${made.metadata.name}`, made);
    return [201, made];
  }
  if (name === undefined) return [200, listOf(objects, resource, searchParams.get('labelSelector') ?? '')];
  if (old === undefined)
    return [404, { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFoundError' }];
  if (request.method === 'DELETE') objects.delete(key);
  if (request.method === 'PUT') objects.set(key, (await bodyOf(request)) as Stored);
  if (request.method === 'PATCH')
    objects.set(key, withDefaults(resource, merged(old, await bodyOf(request)) as Stored));
  return [200, objects.get(key) ?? old];
}

/** What there is to ask for. */
function discovery(pathname: string): unknown {
  if (pathname === '/version') return VERSION;
  if (pathname === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  const names = Object.keys(GROUPS).filter((each) => each.includes('/'));
  if (pathname === '/apis')
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: names.map((groupVersion) => {
        const [name, version] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
      }),
    };
  const kinds = GROUPS[pathname.replace(/^\/apis?\//, '')];
  if (kinds === undefined) return undefined;
  const resources = Object.entries(kinds).map(([name, kind]) => ({
    name,
    kind,
    singularName: '',
    namespaced: true,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update'],
  }));
  const groupVersion = pathname.replace(/^\/apis?\//, '');
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function listOf(objects: ReadonlyMap<string, Stored>, resource: string, selector: string): unknown {
  const wanted = selector.split(',').filter(Boolean);
  const items = [...objects].filter(
    ([key, { metadata }]) =>
      key.startsWith(`${resource}/`) &&
      wanted.every((each) => {
        const [label = '', value] = each.split('=');
        return metadata.labels?.[label] === value;
      }),
  );
  return { kind: 'SecretList', apiVersion: 'v1', metadata: {}, items: items.map(([, stored]) => stored) };
}

/** A deployment without a number of pods has one. */
function withDefaults(resource: string, stored: Stored): Stored {
  if (resource !== 'deployments') return stored;
  return { ...stored, spec: { ...stored.spec, replicas: stored.spec?.replicas ?? 1 } };
}

/** Lists are replaced: enough for the fields that are looked at here. */
function merged(old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(old) ? { ...old } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (!name.startsWith('$')) result[name] = merged(result[name], value);
  }
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString());
}

function send(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function configurationFor(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'c', user: {} }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  });
}
