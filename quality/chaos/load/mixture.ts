/**
 * Everything that a day brings, in small: uploads, downloads, lists and removals by both protocols, pictures, tasks, signed calls and
 * sign-ins that fail. Each kind has its own lane, which does one thing after the other at its own pace, on a fixed number of keys.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntry } from '@millpond/protocol';
import { type Account, type Random, signedFetch, uploadForm, uploadToken } from '@millpond/testing';
import type { Findings } from '../report.ts';
import { Client } from './client.ts';
import { createContents, MIXED_SIZES, pickSize } from './contents.ts';
import { signS3 } from './sigv4.ts';
import { makeVideo } from './task-media.ts';

const KEYS_PER_LANE = 50;
const PICTURES = 20;
const VIDEO_SECONDS = 2;
const PATIENCE_MS = 120_000;
const REGION = 'us-east-1';

export interface MixturePlan {
  readonly url: string;
  readonly s3Url: string;
  readonly account: Account;
  readonly bucket: string;
  readonly random: Random;
  readonly findings: Findings;
  readonly stopped: AbortSignal;
}

/** One request; a refusal is thrown. */
type Act = (random: Random) => Promise<void>;

/** How many of each kind do something at a time, and how long each waits before it does it again. */
interface Kind {
  readonly lanes: number;
  readonly pauseMs: number;
  readonly act: Act;
}

/** Resolves when all lanes have ended, with the number of good answers by kind. */
export async function runMixture(plan: MixturePlan): Promise<Record<string, number>> {
  await putSources(plan);
  const client = new Client(plan.account, plan.bucket, PATIENCE_MS);
  const counts: Record<string, number> = {};
  const run = async (name: string, { pauseMs, act }: Kind, random: Random) => {
    while (!plan.stopped.aborted) {
      try {
        await act(random);
        counts[name] = (counts[name] ?? 0) + 1;
      } catch (error) {
        plan.findings.add('failed', `${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await sleep(random.integer(pauseMs / 2, pauseMs * 2));
    }
  };
  try {
    await Promise.all(
      Object.entries(kindsOf(plan, client)).flatMap(([name, kind]) =>
        Array.from({ length: kind.lanes }, (_, n) => run(name, kind, plan.random.fork(`${name} ${n}`))),
      ),
    );
  } finally {
    await client.close();
  }
  return counts;
}

function kindsOf(plan: MixturePlan, client: Client): Record<string, Kind> {
  const { url, account, bucket } = plan;
  const contents = createContents(account.accessKey);
  const content = (random: Random) => contents.make(pickSize(MIXED_SIZES, random));
  const key = (random: Random) => `mixture/${random.integer(1, KEYS_PER_LANE * 4)}`;
  return {
    uploads: {
      lanes: 4,
      pauseMs: 250,
      async act(random) {
        const upload = { key: key(random), mode: 'overwrite', content: content(random) } as const;
        const { outcome, status, error } = await client.upload(url, upload);
        if (outcome !== 'acknowledged') throw new Error(`${status} ${error}`);
      },
    },
    downloads: {
      lanes: 4,
      pauseMs: 250,
      act: async (random) => expectStatus(await fetch(`${url}/${bucket}/${key(random)}`), 200, 404),
    },
    lists: {
      lanes: 1,
      pauseMs: 500,
      act: async () => void (await client.list(url, 'mixture/')),
    },
    removals: {
      lanes: 1,
      pauseMs: 500,
      async act(random) {
        const { status } = await client.manage(url, 'delete', key(random));
        if (status !== 200 && status !== 612) throw new Error(String(status));
      },
    },
    's3 puts': {
      lanes: 2,
      pauseMs: 250,
      act: (random) => sendS3(plan, 'PUT', key(random), Buffer.concat(content(random).bytes)),
    },
    's3 gets': {
      lanes: 2,
      pauseMs: 250,
      act: (random) => sendS3(plan, 'GET', key(random)),
    },
    pictures: {
      lanes: 2,
      pauseMs: 500,
      async act(random) {
        const options = `imageView2/2/w/${random.integer(50, 600)}/q/${random.integer(40, 90)}`;
        expectStatus(
          await drained(fetch(`${url}/${bucket}/pictures/${random.integer(1, PICTURES)}.jpg?${options}`)),
          200,
        );
      },
    },
    tasks: {
      lanes: 1,
      pauseMs: 10_000,
      async act(random) {
        const [width, number] = [2 * random.integer(60, 150), random.integer(1, KEYS_PER_LANE)];
        const fops = `avthumb/mp4/s/${width}x${width}|saveas/${formatEntry(bucket, `results/${number}.mp4`)}`;
        const body = new URLSearchParams({ bucket, key: 'video.mp4', fops }).toString();
        expectStatus(await signedFetch(url, account, '/pfop/', { body }), 200);
      },
    },
    'sign-ins that fail': {
      lanes: 1,
      pauseMs: 5_000,
      async act(random) {
        const username = `nobody-${random.integer(1, 1_000_000)}@example.com`;
        const body = new URLSearchParams({ grant_type: 'password', username, password: 'none' });
        expectStatus(await fetch(`${url}/oauth2/token`, { method: 'POST', body }), 401);
      },
    },
    strangers: {
      lanes: 1,
      pauseMs: 200,
      act: async (random) => expectStatus(await fetch(`${url}/${random.integer(1, 1e9)}/nothing`), 404),
    },
  };
}

async function putSources({ url, account, bucket }: MixturePlan): Promise<void> {
  const picture = makePicture();
  const put = async (key: string, content: Buffer<ArrayBuffer>) => {
    const token = uploadToken(account, { scope: `${bucket}:${key}` });
    expectStatus(await uploadForm(url, content, { token, key }), 200);
  };
  await put('video.mp4', makeVideo(VIDEO_SECONDS));
  for (let number = 1; number <= PICTURES; number++)
    // Bytes after the end of a picture are not part of it: the same work, different content.
    await put(`pictures/${number}.jpg`, Buffer.concat([picture, Buffer.from(String(number))]));
}

function makePicture(): Buffer<ArrayBuffer> {
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=1600x1200', '-frames:v', '1'];
  return Buffer.from(execFileSync('ffmpeg', [...args, '-f', 'mjpeg', '-']));
}

async function sendS3(plan: MixturePlan, method: 'GET' | 'PUT', key: string, body?: Buffer): Promise<void> {
  const { account, bucket, s3Url } = plan;
  const bodyHash = 'UNSIGNED-PAYLOAD';
  const signed = signS3(
    { region: REGION, accessKey: account.accessKey, secretKey: account.secretKey },
    { method, host: new URL(s3Url).host, path: `/${bucket}/${key}`, bodyHash },
  );
  const request = { method, headers: signed.headers, ...(body && { body: new Uint8Array(body) }) };
  expectStatus(await drained(fetch(`${s3Url}${signed.path}`, request)), 200, method === 'GET' ? 404 : 200);
}

async function drained(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.clone().arrayBuffer();
  return response;
}

function expectStatus(answer: Response, ...statuses: readonly number[]): void {
  void answer.body?.cancel().catch(() => undefined);
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status} of ${answer.url}`);
}
