/**
 * Where `millpond dev` keeps things. Every run has its own folder below the system's temporary one, with its sockets;
 * stored data lies there too, or with `--data` in a place that stays. A run answers at its socket as long as it lives,
 * so a killed run's leftovers are recognised by its silence.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '@millpond/server/folders';
import { UsageError } from '../exit.ts';
import { databaseUser } from './account.ts';

/** What is kept from one start to the next. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  readonly blobs: string;
  /** The blobs as they were when everything was set up. */
  readonly cleanBlobs: string;
  readonly sandbox: string;
  /** What the RTMP engine records, until it is stored. */
  readonly records: string;
  readonly certificate: string;
  readonly certificateKey: string;
  /** Keys made at the first start. */
  readonly secrets: string;
}

export interface RunFolder {
  readonly root: string;
  readonly postgresSockets: string;
  /** Where a run answers questions; no answer means that it is dead. */
  readonly socket: string;
  /** Folder of the RTMP engine. */
  readonly rtmp: string;
  readonly postgresLog: string;
  /** The server's settings, for operator commands. */
  readonly config: string;
  /** What applications need, for `millpond dev env`. */
  readonly clientEnvironment: string;
}

const PREFIX = 'millpond-dev-';
const MARK = 'MILLPOND';
const CONNECT_MS = 2000;

function stateFolder(root: string): StateFolder {
  const at = (name: string) => path.join(root, name);
  return {
    root,
    database: at('database'),
    blobs: at('blobs'),
    cleanBlobs: at('clean-blobs'),
    sandbox: at('sandbox'),
    records: at('live'),
    certificate: at('certificate.pem'),
    certificateKey: at('certificate-key.pem'),
    secrets: at('secrets.json'),
  };
}

function runFolder(root: string): RunFolder {
  const at = (name: string) => path.join(root, name);
  return {
    root,
    postgresSockets: at('postgres'),
    socket: at('dev.socket'),
    rtmp: at('rtmp'),
    postgresLog: at('postgres.log'),
    config: at('millpond.env'),
    clientEnvironment: at('client.env'),
  };
}

export function newRunFolder(): RunFolder {
  const root = mkdtempSync(path.join(tmpdir(), PREFIX));
  // PostgreSQL's user, if it isn't ours, passes through to its own folder and sees nothing else.
  if (databaseUser() !== undefined) chmodSync(root, 0o711);
  return runFolder(root);
}

/** Creates it if it is missing. Refuses somebody else's folder; removes what a first start left half done. */
export function makeStateFolder(root: string): StateFolder {
  const state = stateFolder(root);
  const mark = path.join(root, MARK);
  makeFolder(root, databaseUser() === undefined ? 0o700 : 0o711);
  if (!existsSync(mark) && readdirSync(root).length > 0)
    throw new UsageError(
      `${root} is not empty and was not created by \`millpond dev\`: give --data a folder of its own`,
    );
  writeFileSync(mark, 'Created by `millpond dev --data`, which keeps its database, objects and keys here.\n');
  if (!existsSync(state.secrets))
    for (const part of [state.database, state.blobs, state.cleanBlobs, state.records])
      rmSync(part, { recursive: true, force: true });
  return state;
}

/** All that belong to this user, whether their runs are alive or not. */
export function runFolders(): RunFolder[] {
  const mine = process.getuid?.();
  return readdirSync(tmpdir(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
    .map((entry) => path.join(tmpdir(), entry.name))
    .filter((root) => ownerOf(root) === mine)
    .map(runFolder);
}

/** Whether somebody listens on a Unix socket. */
export function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const end = (result: boolean) => {
      connection.destroy();
      resolve(result);
    };
    connection.setTimeout(CONNECT_MS, () => end(true));
    connection.once('connect', () => end(true)).once('error', () => end(false));
  });
}

function ownerOf(root: string): number | undefined {
  try {
    return statSync(root).uid;
  } catch {
    return undefined;
  }
}
