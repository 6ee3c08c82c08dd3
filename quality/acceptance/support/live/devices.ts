/** A deployment with a SIP port, namespaces of devices in it, cameras for them, and what their customer was told. */
import {
  type Account,
  type Camera,
  type CameraOptions,
  createDeployment,
  type Deployment,
  freePort,
  openCamera,
  passDeviceSeconds,
  type ServerProcess,
  type SipServer,
  signedFetch,
} from '@millpond/testing';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { json, type Received, useReceiver } from '../receivers/receiver.ts';

export const SOON = { timeout: 300_000, interval: 50 };
export const PASSWORD = 'camera-secret';

export interface DeviceEvent {
  readonly type: string;
  readonly nsId: string;
  readonly gbid: string;
  readonly chGbid: string;
  readonly deviceState: string;
  readonly timeSec: number;
  readonly reqId: string;
}

export interface DeviceDeployment {
  readonly deployment: Deployment;
  readonly account: Account;
  readonly sip: SipServer;
  readonly server: ServerProcess;
  restart(signal: NodeJS.Signals): Promise<void>;
  /** While no server runs: devices were heard of last so much earlier. */
  passSeconds(seconds: number): Promise<void>;
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Response>;
  /** A namespace of devices whose events are kept. */
  namespace(options?: { callback?: string; offlineDelay?: number }): Promise<ReceivedEvents>;
  device(nsId: string, fields?: Record<string, unknown>): Promise<string>;
  camera(gbid: string, options?: Partial<CameraOptions>): Promise<Camera>;
}

export interface ReceivedEvents {
  readonly id: string;
  readonly requests: readonly Received[];
  events(): DeviceEvent[];
  /** `online` or `offline` of a device, or of a channel of it, in the order in which they came. */
  states(gbid: string, chGbid?: string): string[];
}

type Settings = Readonly<Record<string, string>>;

let made = 0;
/** 20 digits that no other test of this process has. */
export const newGbid = (type = '132') => `3402000000${type}${String(++made).padStart(7, '0')}`;

/** To be called at the top of a file; what it returns is there while its tests run. */
export function useDeviceDeployment(settings: Settings | (() => Promise<Settings>) = {}): DeviceDeployment {
  const receiver = useReceiver();
  const open: { deployment?: Deployment; account?: Account; sip?: SipServer; server?: ServerProcess } = {};
  const cameras = new Set<Camera>();
  beforeAll(async () => {
    const port = await freePort();
    open.sip = { address: '127.0.0.1', port, serverId: '34020000002000000001', realm: '3402000000' };
    open.deployment = await createDeployment({
      store: 'disk',
      settings: {
        MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
        MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${port}`,
        MILLPOND_SIP_LEAST_EXPIRES: '1s',
        ...(typeof settings === 'function' ? await settings() : settings),
      },
    });
    open.account = await open.deployment.createAccount();
    open.server = await open.deployment.start();
  }, 180_000);
  afterEach(async () => {
    await Promise.all([...cameras].map((camera) => camera.close()));
    cameras.clear();
  });
  afterAll(() => open.deployment?.destroy());
  const part = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the deployment is there only while tests run');
    return value;
  };
  const deployment: DeviceDeployment = {
    get deployment() {
      return part(open.deployment);
    },
    get account() {
      return part(open.account);
    },
    get sip() {
      return part(open.sip);
    },
    get server() {
      return part(open.server);
    },
    async restart(signal) {
      await part(open.server).kill(signal);
      open.server = await part(open.deployment).start();
    },
    passSeconds: (seconds) =>
      passDeviceSeconds(deployment.deployment.environment.MILLPOND_REGION_DB ?? '', seconds),
    call: (method, path, body) => liveCall(deployment.server.url, deployment.account, method, path, body),
    async namespace(options = {}) {
      const endpoint = receiver.at(json({}));
      const answer = await deployment.call('POST', '/namespaces', {
        name: `ns-${++made}`,
        accessType: 'gb28181',
        callback: endpoint.url,
        ...options,
      });
      const { id } = (await expectOk(answer)) as { id: string };
      const events = () => distinct(endpoint.requests.map(({ text }) => JSON.parse(text) as DeviceEvent));
      return {
        id,
        requests: endpoint.requests,
        events,
        states: (gbid, chGbid = '') =>
          events()
            .filter((event) => event.gbid === gbid && event.chGbid === chGbid)
            .map(({ deviceState }) => deviceState),
      };
    },
    async device(nsId, fields = {}) {
      const body = { gbId: newGbid(), password: PASSWORD, ...fields };
      const answer = await deployment.call('POST', `/namespaces/${nsId}/devices`, body);
      return ((await expectOk(answer)) as { gbId: string }).gbId;
    },
    async camera(gbid, options = {}) {
      await listening(deployment.sip);
      const camera = await openCamera(deployment.sip, { gbid, password: PASSWORD, ...options });
      cameras.add(camera);
      return camera;
    },
  };
  return deployment;
}

export async function expectOk(answer: Response): Promise<unknown> {
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text === '' ? undefined : JSON.parse(text);
}

export function liveCall(
  url: string,
  account: Account,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Response> {
  return signedFetch(url, account, `/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), contentType: 'application/json' }),
  });
}

/** A port is owned a moment after its server is ready, or after the owner before it has gone. */
async function listening(sip: SipServer): Promise<void> {
  const probe = await openCamera(sip, { gbid: newGbid(), password: 'none' });
  await probe.registerOnce(60);
  await probe.close();
}

/** An event may come more than once, always with its id. */
function distinct(events: readonly DeviceEvent[]): DeviceEvent[] {
  return [...new Map(events.map((event) => [event.reqId, event])).values()];
}
