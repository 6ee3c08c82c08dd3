/**
 * An account that is full of hostile names, given by the public calls: wherever the server takes a text from outside. What it
 * refuses stays out, and no more than that.
 */
import { randomBytes } from 'node:crypto';
import type { MillpondError } from '@millpond/client';
import { type Client, type EventRule, operations } from '@millpond/client/server';
import { dialects } from '@millpond/protocol';
import { uploadForm, uploadToken } from '@millpond/testing';
import { expect } from 'vitest';
import type { Person } from '../../accounts/accounts.ts';
import { createParent } from '../../accounts/operator.ts';
import { image } from '../../objects/processing.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import { sdkClient } from '../../running/sdk.ts';
import { target } from '../../target.ts';
import { until } from '../until.ts';
import { acceptedNames } from './accepted-names.ts';
import { type HostileLive, hostileLive } from './hostile-live.ts';
import { hostileNames } from './hostile-names.ts';

export interface HostileAccount {
  readonly person: Person;
  readonly bucket: string;
  /** Keys of its objects, as they are listed. */
  readonly keys: readonly string[];
  /** A task that failed, and one that did not. */
  readonly failed: string;
  readonly done: string;
  readonly pipeline: string;
  readonly delivery: string;
  readonly endpoint: string;
  readonly bulk: string;
  readonly accessKey: string;
  readonly live: HostileLive;
  /** A request that was refused. */
  readonly reqid: string;
  /** Names by what they were taken for. */
  readonly taken: Readonly<Record<Field, readonly string[]>>;
}

const PIPELINE = 'night';

type Field = 'key' | 'metadata' | 'trashed' | 'note' | 'lifecycle' | 'event' | 'trigger' | 'task' | 'reason';

export async function hostileAccount(receiver: Receiver): Promise<HostileAccount> {
  const person = await createParent();
  const client = sdkClient({ credentials: person });
  const bucket = `walk-${randomBytes(4).toString('hex')}`;
  await client.buckets.create(bucket, 'z0');
  const answers = receiver.at((answer) => {
    answer.writeHead(500, {
      'x-why': '<img data-hostile src=x onerror=hit(0)>',
      'content-type': 'text/html',
    });
    answer.end(hostileNames.join('\n'));
  });
  const put = async (key: string, content: Uint8Array<ArrayBuffer> | string) => {
    const token = uploadToken(person, { scope: `${bucket}:${key}` });
    expect((await uploadForm(target.url, content, { token, key })).status).toBe(200);
  };

  await put('all.txt', hostileNames.join('\n'));
  const inBatch = async (names: readonly string[], operation: (name: string) => string) => {
    const outcomes = await client.objects.batch(names.map(operation));
    return names.filter((_, n) => outcomes[n]?.ok);
  };
  const copied = (names: readonly string[], prefix = '') =>
    inBatch(names, (name) => operations.copy({ bucket, key: 'all.txt' }, { bucket, key: prefix + name }));
  const [key, note, reason] = await Promise.all([
    copied(hostileNames),
    acceptedNames(
      hostileNames.filter((_, n) => n % 7 === 0),
      (name) => client.accounts.createKey({ note: name, limits: { prefixes: [name] } }),
    ),
    acceptedNames(hostileNames.slice(0, 6), async (name) => {
      const email = `${randomBytes(6).toString('hex')}@example.com`;
      const { uid } = await client.accounts.createChild(email, randomBytes(9).toString('base64'));
      await client.accounts.disableChild(uid, name);
    }),
    put('photo.png', await image('400x300')),
  ]);
  const metadata = await inBatch(key, (name) =>
    operations.changeMetadata(dialects.svc.metaPrefix, bucket, name, { metadata: { note: name } }),
  );
  const trashed = await copied(key.slice(0, 15), 'gone/');
  await inBatch(trashed, (name) => operations.delete(bucket, `gone/${name}`));
  const settings = await settingsOf(client, bucket, answers.url);
  await client.processing.putPipeline(PIPELINE, 3);
  const tasks: string[] = [];
  const task = await acceptedNames(key.slice(0, 8), async (name) => {
    const fops = 'avthumb/mp4';
    tasks.push(
      await client.processing.submit({ bucket, key: name, fops, notifyURL: answers.url, pipeline: PIPELINE }),
    );
  });
  const done = await client.processing.submit({ bucket, key: key[0] ?? '', fops: 'qhash/md5' });
  const bulk = await client.bulk.submit({
    kind: 'copy',
    bucket,
    keys: [...key.slice(0, 20), ...key.slice(0, 20).map((name) => `nowhere/${name}`)],
    to: { bucket, prefix: `${key[0]}/` },
  });
  await Promise.all([...tasks, done].map((id) => client.processing.wait(id, { every: 100 })));
  await client.bulk.wait(bulk.id);
  const { delivery, endpoint } = await attempted(client);
  return {
    person,
    bucket,
    keys: key,
    failed: tasks[0] ?? '',
    done,
    pipeline: PIPELINE,
    delivery,
    endpoint,
    bulk: bulk.id,
    accessKey: person.accessKey,
    live: await hostileLive(client),
    reqid: await refusedRequest(client, bucket, `nowhere/${key[0]}`),
    taken: { key, metadata, trashed, note, ...settings, task, reason },
  };
}

/** Rules of the bucket with these names: as many as a bucket may have. */
async function settingsOf(
  client: Client,
  bucket: string,
  url: string,
): Promise<Pick<HostileAccount['taken'], 'lifecycle' | 'event' | 'trigger'>> {
  const few = hostileNames.filter((_, n) => n % 9 === 0);
  const lifecycle = await acceptedNames(few, (name) =>
    client.buckets.addLifecycle(bucket, {
      name: `rule_${few.indexOf(name)}`,
      prefix: name,
      delete_after_days: 900,
    }),
  );
  const rules: EventRule[] = [];
  const event = await acceptedNames(
    few.slice(0, 12),
    async (name) => {
      const rule = { name, url: `${url}?${encodeURIComponent(name)}`, events: ['deleted'], prefix: name };
      await client.buckets.setEventRules(bucket, [...rules, rule]);
      rules.push(rule);
    },
    1,
  );
  await client.processing.putWorkflow('thumbs', 'imageView2/1/w/200');
  const trigger = await acceptedNames(few.slice(0, 8), (name) =>
    client.processing.addTrigger({ bucket, prefix: name, suffix: name, workflow: 'thumbs' }),
  );
  await client.processing.putStyle(bucket, 'small', 'imageView2/1/w/200');
  await client.buckets.setCors(bucket, [
    { allowed_origin: ['https://app.example.com'], allowed_method: ['GET'], max_age: 60 },
  ]);
  await acceptedNames([`${url}/${encodeURIComponent(few[0] ?? '')}`, url], (from) =>
    client.buckets.setMirror(bucket, [from]),
  );
  return { lifecycle, event, trigger };
}

/** A delivery that its receiver has answered. */
function attempted(client: Client): Promise<{ delivery: string; endpoint: string }> {
  return until(async () => {
    for await (const { id } of client.deliveries.list()) {
      const { attempts, endpoint = '' } = await client.deliveries.get(id);
      if (attempts.some(({ answer }) => answer !== undefined)) return { delivery: id, endpoint };
    }
    return undefined;
  });
}

/** One that has been written down. */
async function refusedRequest(client: Client, bucket: string, key: string): Promise<string> {
  const { reqid } = await client.objects.stat(bucket, key).then(
    () => ({ reqid: '' }),
    (error: MillpondError) => error,
  );
  await until(() =>
    client.requests.get(reqid).then(
      () => true,
      () => undefined,
    ),
  );
  return reqid;
}
