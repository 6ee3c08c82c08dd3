/** A deployment that looks into content, and images and videos to send it, made by ffmpeg. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Account,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { target } from '../target.ts';

/** As root the sandbox runs its programs as another user, who must be able to reach them in this checkout. */
export const sandboxWorks = process.getuid?.() !== 0 || othersMayEnter(import.meta.dirname);

function othersMayEnter(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || othersMayEnter(parent));
}

const BUCKET = 'looking';

export interface LookingServer {
  readonly server: ServerProcess;
  /** The answer to an upload of this content with this returnBody, which must be 200. */
  told(content: Uint8Array, returnBody: string, fileName?: string): Promise<unknown>;
  /** The value of a metric, its labels written as it writes them. */
  metric(name: string): Promise<number>;
}

export interface InspectionDeployment extends LookingServer {
  readonly deployment: Deployment;
  readonly account: Account;
  readonly bucket: string;
  /** The sandbox's folder for jobs. */
  readonly jobs: string;
  /** One more server of this deployment. */
  start(settings?: Readonly<Record<string, string>>): Promise<LookingServer>;
}

/** To be called at the top of a file. */
export function useInspectionDeployment(
  settings: Readonly<Record<string, string>> = {},
): InspectionDeployment {
  let deployment: Deployment;
  let first: LookingServer;
  let account: Account;
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-jobs-'));
  const jobs = path.join(folder, 'root');
  const start = async (more: Readonly<Record<string, string>> = {}) =>
    lookingServer(await deployment.start({ settings: more }), account);
  beforeAll(async () => {
    deployment = await createDeployment({
      store: target.store,
      settings: {
        MILLPOND_INSPECT: 'true',
        MILLPOND_INSPECT_DEADLINE: '25s',
        MILLPOND_SANDBOX_ROOT: jobs,
        ...settings,
      },
    });
    // The sandbox's user passes through.
    chmodSync(folder, 0o711);
    account = await deployment.createAccount(undefined, BUCKET);
    first = await start();
  });
  afterAll(async () => {
    await deployment?.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get deployment() {
      return deployment;
    },
    get server() {
      return first.server;
    },
    get account() {
      return account;
    },
    bucket: BUCKET,
    jobs,
    start,
    told: (...args) => first.told(...args),
    metric: (name) => first.metric(name),
  };
}

function lookingServer(server: ServerProcess, account: Account): LookingServer {
  return {
    server,
    async told(content, returnBody, fileName = 'file') {
      const token = uploadToken(account, { scope: BUCKET, returnBody });
      const form = { token, key: randomBytes(8).toString('hex'), fileName };
      const answer = await uploadForm(server.url, new Uint8Array(content), form);
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return JSON.parse(text) as unknown;
    },
    async metric(name) {
      const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
      const line = text.split('\n').find((each) => each.startsWith(`${name} `));
      return line === undefined ? 0 : Number(line.slice(name.length + 1));
    },
  };
}

/** What ffmpeg writes with these arguments into a file of this name. */
function made(name: string, ...args: string[]): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-made-'));
  try {
    const file = path.join(folder, name);
    execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args, file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function image(name: string, size = '64x48', color = '0x336699'): Buffer {
  return made(name, '-f', 'lavfi', '-i', `color=c=${color}:s=${size}:d=1`, '-frames:v', '1');
}

/** A second of video and sound. */
export function video(name = 'video.mp4', ...args: string[]): Buffer {
  const video = ['-f', 'lavfi', '-i', 'testsrc=s=128x96:r=10:d=1'];
  const audio = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
  return made(name, ...video, ...audio, '-pix_fmt', 'yuv420p', '-shortest', ...args);
}

/** The image with this maker and orientation 6 in an Exif block, as a camera writes it. */
export function withExif(jpeg: Buffer, maker: string): Buffer {
  const text = Buffer.from(`${maker}\0`);
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(2, 8);
  tiff.writeUInt16LE(0x010f, 10);
  tiff.writeUInt16LE(2, 12);
  tiff.writeUInt32LE(text.length, 14);
  tiff.writeUInt32LE(tiff.length, 18);
  tiff.writeUInt16LE(0x0112, 22);
  tiff.writeUInt16LE(3, 24);
  tiff.writeUInt32LE(1, 26);
  tiff.writeUInt16LE(6, 30);
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, text]);
  const marker = Buffer.from([0xff, 0xe1, 0, 0]);
  marker.writeUInt16BE(block.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), marker, block, jpeg.subarray(2)]);
}
