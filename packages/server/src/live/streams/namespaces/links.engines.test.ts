/** Rows that name each other, when one is added while the other goes: whoever is second is told what is so by then. */
import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../../test/locks.ts';
import { parseCreate } from '../../../platform/web/resources/index.ts';
import { newLiveId } from '../ids.ts';
import { FeedStore } from '../streams/feed.store.ts';
import { StreamStore } from '../streams/stream.store.ts';
import { streamFields } from '../streams/stream-fields.ts';
import { NamespaceStore } from './namespace.store.ts';
import { namespaceFields } from './namespace-fields.ts';
import { TemplateStore } from './template.store.ts';
import { templateFields } from './template-fields.ts';

const databases = useDatabases();
const UID = 1n;
const MOST = 1000;
const key = { sealed_key: Buffer.alloc(1), master_key: 'k' };

function stores() {
  const { region } = databases;
  return {
    namespaces: new NamespaceStore(region),
    streams: new StreamStore(region),
    templates: new TemplateStore(region),
    feeds: new FeedStore(region),
  };
}

async function namespace(): Promise<string> {
  const nsId = newLiveId();
  await stores().namespaces.insert(
    nsId,
    { uid: UID, tenant: UID },
    parseCreate(namespaceFields, { name: nsId }),
    MOST,
  );
  return nsId;
}

async function template(): Promise<string> {
  const id = newLiveId();
  await stores().templates.insert(id, UID, parseCreate(templateFields, { name: id, bucket: 'b' }), MOST);
  return id;
}

/** What becomes of `second`, which waits for what another has done before it, once that is committed. */
async function after(first: string, values: unknown[], second: () => Promise<unknown>): Promise<unknown> {
  const other = await openTransaction(databases.region);
  try {
    await other.query(first, values);
    const waiting = second().catch((error: unknown) => error);
    await untilWaiting(databases.region, 1);
    await other.query('COMMIT');
    return await waiting;
  } finally {
    await other.end();
  }
}

const NO_TEMPLATE = {
  fault: 'invalidArgument',
  hint: 'a template that it names no longer exists',
};

describe('a namespace', () => {
  test('into which a stream or a device is put at that moment is not empty', async () => {
    const adding = [
      `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key)
       VALUES ($1, 's', '', '', 'k')`,
      `INSERT INTO region.devices (ns_id, gbid, name, description, kind, username, sealed_password, master_key)
       VALUES ($1, '34020000001320000001', '', '', 1, $1, '', 'k')`,
    ];
    for (const text of adding) {
      const nsId = await namespace();
      expect(await after(text, [nsId], () => stores().namespaces.delete(UID, nsId))).toBe(false);
    }
  });

  test('that goes at that moment is none to put a stream into', async () => {
    const nsId = await namespace();
    const gone = 'DELETE FROM region.live_namespaces WHERE ns_id = $1';
    const put = () =>
      stores().streams.insert({ nsId, streamId: 's' }, parseCreate(streamFields, {}), key, MOST);
    expect(await after(gone, [nsId], put)).toMatchObject({ fault: 'noSuchNamespace' });
  });

  test('whose device goes at that moment has none to put streams of it into', async () => {
    const { feeds } = stores();
    const nsId = await namespace();
    const gbid = '34020000001320000002';
    const device = `INSERT INTO region.devices (ns_id, gbid, name, description, kind, username, sealed_password, master_key)
       VALUES ($1, $2, '', '', 1, $1, '', 'k')`;
    const gone = 'DELETE FROM region.devices WHERE ns_id = $1';
    for (const put of [
      () => feeds.make(nsId, [gbid, `${gbid}_${gbid}`], [key, key]),
      () => feeds.open({ nsId, streamId: gbid }, key, Buffer.alloc(32)),
    ]) {
      await databases.region.pool.query(device, [nsId, gbid]);
      expect(await after(gone, [nsId], put)).not.toBeInstanceOf(Error);
    }
    expect(await stores().namespaces.delete(UID, nsId)).toBe(true);
  });
});

describe('a template', () => {
  test('that is named at that moment is in use', async () => {
    const [nsId, id] = [await namespace(), await template()];
    const naming = 'UPDATE region.live_namespaces SET record_template_id = $2 WHERE ns_id = $1';
    expect(await after(naming, [nsId, id], () => stores().templates.delete(UID, id))).toBe(false);
  });

  test('that goes at that moment can not be named', async () => {
    const { streams, namespaces } = stores();
    const { region } = databases;
    const nsId = await namespace();
    const address = { nsId, streamId: 'there' };
    await streams.insert(address, parseCreate(streamFields, {}), key, MOST);
    const streamWith = (recordTemplateId: string) => parseCreate(streamFields, { recordTemplateId });
    const namespaceWith = (snapshotTemplateId: string) =>
      parseCreate(namespaceFields, { name: newLiveId(), snapshotTemplateId });
    const namings = [
      (id: string) => streams.insert({ nsId, streamId: 'new' }, streamWith(id), key, MOST),
      (id: string) => region.transaction((on) => streams.update(on, address, streamWith(id))),
      (id: string) => namespaces.insert(newLiveId(), { uid: UID, tenant: UID }, namespaceWith(id), MOST),
      (id: string) => region.transaction((on) => namespaces.update(on, nsId, namespaceWith(id))),
    ];
    for (const naming of namings) {
      const id = await template();
      const gone = 'DELETE FROM region.live_templates WHERE template_id = $1';
      expect(await after(gone, [id], () => naming(id))).toMatchObject(NO_TEMPLATE);
    }
  });
});
