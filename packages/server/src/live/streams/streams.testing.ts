/** Recordings and snapshots for tests, with real databases and files on disk; only the sandbox is replaced. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLog } from '@millpond/base';
import type { BlobStore } from '@millpond/blobs';
import type { MediaEngine, MediaOutput } from '@millpond/jail';
import { createOutboundClient } from '@millpond/outbound';
import { dialects } from '@millpond/protocol';
import { beforeAll } from 'vitest';
import { useBlobs } from '../../../test/blobs.ts';
import type { TestDatabases } from '../../../test/databases.ts';
import {
  Deliveries,
  DeliveryStore,
  EndpointStatsStore,
  EndpointStore,
  RecordStore as EventRecords,
} from '../../events/deliveries/deliveries.testing.ts';
import type { AccountStates } from '../../identity/accounts/index.ts';
import { Results } from '../../media/processing/processing.testing.ts';
import type { Lease } from '../../platform/leases/leases.ts';
import { withoutSmallBlobs } from '../../platform/small-blobs/small-blobs.testing.ts';
import { parseCreate } from '../../platform/web/resources/index.ts';
import { type Buckets, bucketsOf } from '../../storage/buckets/buckets.testing.ts';
import { ObjectStore, Objects } from '../../storage/objects/objects.testing.ts';
import { engineName, type StreamAddress } from './engine-name.ts';
import { LiveEvents } from './events.ts';
import { newLiveId } from './ids.ts';
import { NamespaceStore } from './namespaces/namespace.store.ts';
import { namespaceFields } from './namespaces/namespace-fields.ts';
import { TemplateStore } from './namespaces/template.store.ts';
import { templateFields } from './namespaces/template-fields.ts';
import { RecordStore } from './recordings/recordings.store.ts';
import { type RecordingDeps, Recordings } from './recordings/recordings.ts';
import { SnapStore } from './snapshots/snap.store.ts';
import { type SnapshotDeps, Snapshots } from './snapshots/snapshots.ts';
import { StreamStore } from './streams/stream.store.ts';
import { streamFields } from './streams/stream-fields.ts';

export const ENGINE = 'main';
const REGION = 'z0';

export interface TestStream extends StreamAddress {
  readonly uid: bigint;
  readonly bucket: string;
}

export interface LiveTests {
  readonly blobs: BlobStore;
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly events: LiveEvents;
  /** The engine's folder, with its recordings. */
  readonly folder: string;
  readonly lease: Lease;
  /** Builds the service, with the given parts in place of the usual ones. */
  recordings(deps?: Partial<RecordingDeps>): Recordings;
  snapshots(deps?: Partial<SnapshotDeps>): Snapshots;
  /** An account with a bucket, and a stream whose recordings and snapshots go into it. */
  stream(): Promise<TestStream>;
  removeStream(stream: TestStream): Promise<void>;
  /** Writes a file as the engine finishes it; returns its name. */
  record(stream: StreamAddress, second: number): Promise<string>;
  /** Names of the objects in its bucket. */
  keysOf(stream: TestStream): Promise<string[]>;
  /** Bodies of the events sent to its namespace's callback. */
  told(stream: StreamAddress): Promise<Record<string, unknown>[]>;
}

/** Call it at the top of a test file. */
export function useLive(databases: TestDatabases): LiveTests {
  const blobs = useBlobs('disk');
  const lease: Lease = {
    name: `engine ${ENGINE}`,
    owner: 'a test',
    takenAt: new Date(),
    signal: new AbortController().signal,
    hold: async () => undefined,
  };
  const outbound = createOutboundClient({ allow: [], connectionsPerOrigin: 1, maxOrigins: 1 });
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'millpond-live-'));
    await mkdir(path.join(root, ENGINE));
    return async () => {
      await outbound.close();
      await rm(root, { recursive: true, force: true });
    };
  });
  let accounts = 0;
  const output = async (name: string, mimeType: string): Promise<MediaOutput> => {
    const file = path.join(root, name);
    await writeFile(file, name);
    return { path: file, size: name.length, mimeType };
  };
  const media: Partial<MediaEngine> = {
    remux: async (_source, _signal, use) =>
      use({ file: await output('recording.mp4', 'video/mp4'), seconds: 2, headBytes: 4 }),
    run: async (_job, use) => use({ main: await output('image.jpg', 'image/jpeg'), parts: [], warnings: [] }),
  };
  const buckets = () => {
    const options = { region: REGION, maxBuckets: 10, freshMs: 0, staleMs: 0 };
    return bucketsOf(databases.control, databases.region, options);
  };
  const objects = () =>
    new Objects(new ObjectStore(databases.region), buckets(), {
      commitWindowMs: 86_400_000,
      dialect: dialects.svc,
    });
  const work = () => {
    const { region } = databases;
    const figures = new EndpointStatsStore(region);
    const [records, endpoints] = [new EventRecords(region), new EndpointStore(region)];
    const deps = { region, store: new DeliveryStore(region), records, endpoints, figures, outbound };
    return {
      templates: new TemplateStore(region),
      events: new LiveEvents({ namespaces: new NamespaceStore(region), deliveries: new Deliveries(deps) }),
      buckets: buckets(),
      results: new Results({ objects: objects(), blobs: withoutSmallBlobs(blobs.store) }),
      media: async () => media as MediaEngine,
      log: openLog('silent'),
    };
  };
  const callbackOf = ({ nsId }: StreamAddress) => `callbacks.example.com/${nsId}`;
  return {
    get blobs() {
      return blobs.store;
    },
    get objects() {
      return objects();
    },
    get buckets() {
      return buckets();
    },
    get events() {
      return work().events;
    },
    get folder() {
      return path.join(root, ENGINE);
    },
    lease,
    recordings: (deps = {}) =>
      new Recordings(
        { store: new RecordStore(databases.region), ...work(), ...deps },
        { folder: root, tellsProgress: false },
      ),
    snapshots: (deps = {}) =>
      new Snapshots(
        { store: new SnapStore(databases.region), engines: new Map(), ...work(), ...deps },
        { timeoutMs: 20_000, tellsProgress: false },
      ),
    async stream() {
      const { region, control } = databases;
      const { rows } = await control.pool.query<{ uid: bigint }>(
        `INSERT INTO control.accounts (email) VALUES (gen_random_uuid() || '@example.com') RETURNING uid`,
      );
      const uid = rows[0]?.uid ?? 0n;
      const bucket = `kept-${++accounts}`;
      await buckets().create(uid, bucket, REGION);
      const address = { nsId: newLiveId(), streamId: 'camera' };
      const [recordTemplateId, snapshotTemplateId] = [newLiveId(), newLiveId()];
      const template = { name: recordTemplateId, bucket, recordType: 1 };
      const templates = new TemplateStore(region);
      await templates.insert(recordTemplateId, uid, parseCreate(templateFields, template), 10);
      const images = { name: snapshotTemplateId, bucket, templateType: 1 };
      await templates.insert(snapshotTemplateId, uid, parseCreate(templateFields, images), 10);
      const namespace = { name: address.nsId, accessType: 'rtmp', callback: callbackOf(address) };
      const owner = { uid, tenant: uid };
      await new NamespaceStore(region).insert(
        address.nsId,
        owner,
        parseCreate(namespaceFields, namespace),
        10,
      );
      const values = parseCreate(streamFields, { recordTemplateId, snapshotTemplateId });
      const key = { sealed_key: Buffer.alloc(0), master_key: '' };
      await new StreamStore(region).insert(address, values, key, 10);
      return { ...address, uid, bucket };
    },
    async removeStream(stream) {
      await new StreamStore(databases.region).delete(stream);
      await new NamespaceStore(databases.region).delete(stream.uid, stream.nsId);
    },
    async record(stream, second) {
      const file = `${engineName(stream)}-auto-20261115T0800${String(second).padStart(2, '0')}.flv`;
      await writeFile(path.join(root, ENGINE, file), 'what the engine has recorded');
      return file;
    },
    async keysOf({ bucket }) {
      const found = await buckets().byName(bucket);
      const { rows } = await databases.region.pool.query<{ key: string }>(
        'SELECT key FROM region.objects WHERE bucket_id = $1 ORDER BY key',
        [found?.id],
      );
      return rows.map((row) => row.key);
    },
    async told(stream) {
      const { rows } = await databases.region.pool.query<{ body: Buffer }>(
        'SELECT body FROM region.deliveries WHERE $1 = ANY (urls) ORDER BY created_at',
        [`http://${callbackOf(stream)}`],
      );
      return rows.map((row) => JSON.parse(row.body.toString()) as Record<string, unknown>);
    },
  };
}

/** Accounts of which none is disabled. */
export const allEnabled = {
  isDisabled: async () => false,
  isEnabledOrUnknown: async () => true,
  disabledAmong: async () => new Set<bigint>(),
} as Partial<AccountStates> as AccountStates;
