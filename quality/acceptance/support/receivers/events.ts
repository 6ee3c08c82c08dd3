/** Events of the deployment under test, and its record of them by the calls that an account has. */
import { randomBytes } from 'node:crypto';
import type { AccessKeyPair } from '@millpond/protocol';
import {
  type Account,
  type AddedTestEvent,
  createDeployment,
  type Deployment,
  type EventProducer,
  openEventProducer,
  signedFetch,
  type TestEvent,
} from '@millpond/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import type { RawResponse } from '../raw.ts';
import { type Secure, secureSigned } from '../running/secure.ts';
import { target } from '../target.ts';

export interface DeliveryRecord {
  readonly waitingFor?: { readonly reason: string; readonly text: string; readonly until?: string };
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly endpoint: string;
  readonly sequence: number;
  readonly body: string;
  readonly next?: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly begun: string;
    readonly status?: number;
    readonly durationMs: number;
    readonly response?: string;
    readonly error?: string;
    readonly request?: { readonly headers: Readonly<Record<string, string>>; readonly bodyBytes: number };
    readonly answer?: {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    };
  }[];
}

export interface Events {
  readonly producer: EventProducer;
  /** An event of the main account, to a configured endpoint of its own unless one is named. */
  add(event: Omit<TestEvent, 'uid'> & { uid?: number }): Promise<AddedTestEvent>;
}

/** The shared deployment's producer, open while the file's tests run. */
export function useEvents(): Events {
  let producer: EventProducer | undefined;
  beforeAll(() => {
    producer = openEventProducer(target.environment.MILLPOND_REGION_DB ?? '');
  });
  afterAll(() => producer?.close());
  const opened = () => {
    if (producer === undefined) throw new Error('events can be added only while tests run');
    return producer;
  };
  return {
    get producer() {
      return opened();
    },
    add: (event) => opened().add({ uid: target.account.uid, endpoint: newEndpoint(), ...event }),
  };
}

export const newEndpoint = () => `endpoint-${randomBytes(6).toString('hex')}`;

/** A deployment for which time passes faster, and its record by the calls: commands would take days of its time. */
export interface FastTime {
  readonly deployment: Deployment;
  readonly producer: EventProducer;
  readonly account: Account;
  record(id: string): Promise<DeliveryRecord>;
  endpoint(name: string): Promise<EndpointRecord | undefined>;
  resume(name: string): Promise<void>;
}

export interface EndpointRecord {
  readonly endpoint: string;
  readonly name: string;
  readonly state: string;
}

/** To be called at the top of a file; what it returns is there while its tests run. */
export function useFastTime(timeFactor: number): FastTime {
  const opened: { deployment?: Deployment; producer?: EventProducer; account?: Account; url?: string } = {};
  beforeAll(async () => {
    const deployment = await createDeployment({
      store: 'disk',
      settings: {
        MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
        MILLPOND_TIME_FACTOR: String(timeFactor),
        MILLPOND_PLAIN_HTTP: 'true',
      },
      log: 'ignore',
    });
    opened.deployment = deployment;
    const producer = openEventProducer(deployment.environment.MILLPOND_REGION_DB ?? '');
    Object.assign(opened, { producer, account: await deployment.createAccount() });
    opened.url = (await deployment.start()).url;
  }, 120_000);
  afterAll(async () => {
    await opened.producer?.close();
    await opened.deployment?.destroy();
  });
  const part = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the deployment is there only while tests run');
    return value;
  };
  const call = async <T>(path: string, method: 'GET' | 'POST' = 'GET'): Promise<T> => {
    const answer = await signedFetch(part(opened.url), part(opened.account), `/v1/deliveries${path}`, {
      method,
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  const endpoint = async (name: string) =>
    (await call<{ items: EndpointRecord[] }>('/endpoints')).items.find((item) => item.name === name);
  return {
    get deployment() {
      return part(opened.deployment);
    },
    get producer() {
      return part(opened.producer);
    },
    get account() {
      return part(opened.account);
    },
    record: (id) => call<DeliveryRecord>(`/${id}`),
    endpoint,
    async resume(name) {
      await call(`/endpoints/${(await endpoint(name))?.endpoint}/resume`, 'POST');
    },
  };
}

export function deliveriesCall(
  call: { method?: string; path?: string; body?: Record<string, string> },
  keys: AccessKeyPair = target.account,
  at?: Secure,
): Promise<RawResponse> {
  const { method = 'GET', path = '', body = {} } = call;
  const form = new URLSearchParams(body).toString();
  return secureSigned({ method, target: `/v1/deliveries${path}`, body: form }, at ? { keys, at } : { keys });
}

/** The record of one delivery. */
export async function recordOf(id: string): Promise<DeliveryRecord> {
  const answer = await deliveriesCall({ path: `/${id}` });
  expect(answer.status, answer.text()).toBe(200);
  return answer.json() as DeliveryRecord;
}

/** Waits until a delivery is in this state; a busy machine may take its time. */
export async function reaches(id: string, state: string): Promise<DeliveryRecord> {
  await expect.poll(async () => (await recordOf(id)).state, { interval: 50 }).toBe(state);
  return recordOf(id);
}
