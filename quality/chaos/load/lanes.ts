/**
 * Clients that make one request after the other: some on a connection that they keep for as long as they may, some on a new one
 * each, by http and by https. None tries again: what fails is lost.
 */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, type Random, uploadToken } from '@millpond/testing';
import { FORM_HEADERS, formOf } from './client.ts';
import type { Gateways } from './gateways.ts';

const KEPT_PER_SCHEME = 8;
const NEW_PER_SCHEME = 4;
/** How many of these read slowly, so that their responses begin before a drain and end within it. */
const SLOW_PER_SCHEME = 2;
const PAUSES_MS = [0, 0, 10, 50, 200, 1_500];
const SLOW_STEP_MS = 200;
const SMALL = 4 * 1024;
const LARGE = 4 * 1024 * 1024;

export interface LaneCounts {
  sent: number;
  readonly lost: string[];
}

export interface LanePlan {
  readonly gateways: Gateways;
  /** HTTPS address of each gateway by its plain URL. */
  readonly secureUrls: ReadonlyMap<string, string>;
  readonly certificate: string;
  readonly account: Account;
  readonly bucket: string;
  readonly random: Random;
  readonly stopped: AbortSignal;
}

type Scheme = 'http' | 'https';
interface Lane {
  readonly name: string;
  readonly scheme: Scheme;
  readonly isKept: boolean;
  readonly isSlow: boolean;
}

/** Resolves when the lanes have ended; counts by scheme and kind of connection, such as `https kept`. */
export async function runLanes(plan: LanePlan): Promise<Map<string, LaneCounts>> {
  const counts = new Map<string, LaneCounts>();
  await Promise.all(
    lanes().map((lane) => {
      const kind = `${lane.scheme} ${lane.isKept ? 'kept' : 'new'}`;
      const count = counts.get(kind) ?? { sent: 0, lost: [] };
      counts.set(kind, count);
      return runLane(plan, lane, count);
    }),
  );
  return counts;
}

function lanes(): Lane[] {
  const each = (scheme: Scheme, isKept: boolean, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      scheme,
      isKept,
      isSlow: isKept && n < SLOW_PER_SCHEME,
      name: `${scheme}-${isKept ? 'kept' : 'new'}-${n}`,
    }));
  return (['http', 'https'] as const).flatMap((scheme) => [
    ...each(scheme, true, KEPT_PER_SCHEME),
    ...each(scheme, false, NEW_PER_SCHEME),
  ]);
}

async function runLane(plan: LanePlan, lane: Lane, count: LaneCounts): Promise<void> {
  const random = plan.random.fork(lane.name);
  const { Agent } = lane.scheme === 'http' ? http : https;
  const agent = new Agent({ keepAlive: lane.isKept, maxSockets: 1, ca: plan.certificate });
  const token = uploadToken(plan.account, { scope: plan.bucket });
  const content = Buffer.alloc(lane.isSlow ? LARGE : SMALL, lane.name);
  let stored: string | undefined;
  let gateway: string | undefined;
  for (let n = 0; !plan.stopped.aborted; n++) {
    // A connection that is still open is used again, whatever has been said of its gateway since.
    if (Object.keys(agent.freeSockets).length === 0) gateway = plan.gateways.pick(random);
    const url = (lane.scheme === 'http' ? gateway : plan.secureUrls.get(gateway ?? '')) ?? '';
    const isUpload = stored === undefined || n % 2 === 0;
    const key = isUpload ? `${lane.name}/${n}` : (stored ?? '');
    count.sent += 1;
    try {
      const sending = isUpload
        ? upload(url, agent, { token, key, content })
        : download(url, agent, plan, key, lane.isSlow);
      const { status, bytes } = await sending;
      if (status !== 200) throw new Error(`answered with ${status}`);
      if (!isUpload && !bytes.equals(content))
        throw new Error(`${bytes.length} bytes, and not those that were sent`);
      if (isUpload) stored = key;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      count.lost.push(`${isUpload ? 'PUT' : 'GET'} ${key} at ${url}: ${code ?? message}`);
    }
    await sleep(random.pick(PAUSES_MS));
  }
  agent.destroy();
}

interface Answered {
  readonly status: number;
  readonly bytes: Buffer;
}

function upload(
  url: string,
  agent: http.Agent,
  { token, key, content }: { readonly token: string; readonly key: string; readonly content: Buffer },
): Promise<Answered> {
  const body = formOf({ token, key }, { bytes: [content] });
  return send(`${url}/`, { agent, method: 'POST', headers: FORM_HEADERS }, body);
}

function download(
  url: string,
  agent: http.Agent,
  { bucket }: LanePlan,
  key: string,
  isSlow: boolean,
): Promise<Answered> {
  return send(`${url}/${bucket}/${key}`, { agent }, undefined, isSlow ? SLOW_STEP_MS : 0);
}

function send(url: string, options: http.RequestOptions, body?: Buffer, pauseMs = 0): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, options, (answer) => {
    const read = async () => {
      const pieces: Buffer[] = [];
      for await (const piece of answer as AsyncIterable<Buffer>) {
        pieces.push(piece);
        if (pauseMs > 0 && pieces.length % 16 === 0) await sleep(pauseMs);
      }
      return { status: answer.statusCode ?? 0, bytes: Buffer.concat(pieces) };
    };
    read().then(resolve, reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
