import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { slowInserts, untilWaiting } from '../../../test/locks.ts';
import { parseCreate } from '../../platform/web/resources/index.ts';
import { newLiveId } from './ids.ts';
import { NamespaceStore } from './namespaces/namespace.store.ts';
import { namespaceFields } from './namespaces/namespace-fields.ts';
import { TemplateStore } from './namespaces/template.store.ts';
import { templateFields } from './namespaces/template-fields.ts';
import { StreamStore } from './streams/stream.store.ts';
import { streamFields } from './streams/stream-fields.ts';

const databases = useDatabases();
const MOST = 2;
const namespace = (name: string) => parseCreate(namespaceFields, { name });
const template = (name: string) => parseCreate(templateFields, { name, bucket: 'b' });

describe('when many are asked for at once', () => {
  async function added(ask: (name: string) => Promise<unknown>): Promise<number> {
    const rows = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(`n${n}`)));
    return rows.filter((row) => row !== undefined).length;
  }

  test('an account has as many namespaces and templates as it may', async () => {
    const { region } = databases;
    const [namespaces, templates] = [new NamespaceStore(region), new TemplateStore(region)];
    await slowInserts(region, 'region.live_namespaces');
    await slowInserts(region, 'region.live_templates');
    expect(
      await added((name) => namespaces.insert(newLiveId(), { uid: 1n, tenant: 1n }, namespace(name), MOST)),
    ).toBe(MOST);
    expect(await added((name) => templates.insert(newLiveId(), 1n, template(name), MOST))).toBe(MOST);
  });

  test('a namespace has as many streams as it may', async () => {
    const { region } = databases;
    const nsId = newLiveId();
    await new NamespaceStore(region).insert(nsId, { uid: 2n, tenant: 2n }, namespace('streams'), MOST);
    const store = new StreamStore(region);
    await slowInserts(region, 'region.live_streams');
    const key = { sealed_key: Buffer.alloc(1), master_key: 'k' };
    const values = parseCreate(streamFields, {});
    expect(await added((streamId) => store.insert({ nsId, streamId }, values, key, MOST))).toBe(MOST);
  });
});

test('a name that two namespaces or templates take at once is taken for the second', async () => {
  const { region } = databases;
  const [namespaces, templates] = [new NamespaceStore(region), new TemplateStore(region)];
  const ids = [newLiveId(), newLiveId()] as const;
  for (const [index, id] of ids.entries()) {
    await namespaces.insert(id, { uid: 3n, tenant: 3n }, namespace(`n${index}`), MOST);
    await templates.insert(id, 3n, template(`t${index}`), MOST);
  }
  const renamings = [
    (id: string) => region.transaction((on) => namespaces.update(on, id, namespace('same'))),
    (id: string) => region.transaction((on) => templates.update(on, id, template('same'))),
  ];
  const held = [
    `UPDATE region.live_namespaces SET name = 'same' WHERE ns_id = $1`,
    `UPDATE region.live_templates SET name = 'same' WHERE template_id = $1`,
  ];
  for (const [index, rename] of renamings.entries()) {
    const first = await region.pool.connect();
    await first.query('BEGIN');
    await first.query(held[index] ?? '', [ids[0]]);
    const second = rename(ids[1]);
    await untilWaiting(region, 1);
    await first.query('COMMIT');
    first.release();
    expect(await second).toBeUndefined();
    // Nobody is in the way any more: it is still taken.
    expect(await rename(ids[1])).toBeUndefined();
    expect(await rename(ids[0])).toMatchObject({ name: 'same' });
  }
});
