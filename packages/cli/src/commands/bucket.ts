/** `millpond bucket`: creates, drops and shows a bucket, and changes its settings, with its owner's access key. */
import type { Buckets } from '@millpond/client/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BucketOptions, bucketCommand, type NamedBucket, onBucket } from '../buckets/command.ts';
import { addBucketDomains } from '../buckets/domains.ts';
import { addBucketRules } from '../buckets/rules.ts';
import { addBucketStyles } from '../buckets/styles.ts';
import { UsageError } from '../exit.ts';
import { readPair, readSize } from '../option-readers.ts';
import { print } from '../print.ts';
import { bytesText, escapeForTerminal } from '../remote/text.ts';

interface CreateOptions extends BucketOptions {
  readonly region?: string;
  readonly private?: boolean;
}

interface SetOptions extends BucketOptions {
  readonly private?: boolean;
  readonly public?: boolean;
  readonly maxSize?: number;
  readonly maxObjects?: number;
  readonly tag?: Record<string, string>;
  readonly untag?: boolean;
}

export function addBucket(program: Command): void {
  const bucket = program
    .command('bucket')
    .description('create and drop buckets, show and change their settings');
  bucketCommand(bucket, 'create', 'create a bucket; everyone can read it unless --private')
    .option('--region <id>', 'default: the account’s own, or else the one that is asked')
    .option('--private', 'only signed URLs can read it')
    .action(onBucket(create));
  bucketCommand(bucket, 'drop', 'delete an empty bucket').action(
    onBucket(async ({ bucket: dropped, buckets, signal }, options: BucketOptions) => {
      await buckets.drop(dropped, { signal });
      print(options, { bucket: dropped }, `${dropped} is deleted`);
    }),
  );
  bucketCommand(bucket, 'show', 'show the settings of a bucket').action(onBucket(show));
  bucketCommand(bucket, 'set', 'change settings of a bucket')
    .addOption(new Option('--private', 'only signed URLs can read it').conflicts('public'))
    .option('--public', 'everyone can read it')
    .option('--max-size <bytes>', 'maximum size, such as 50g or 50GiB; none: no limit', readMost(readSize))
    .option('--max-objects <n>', 'maximum number of objects; none: no limit', readMost(Number))
    .option('--tag <name=value>', 'replace its tags; may be repeated', readPair)
    .option('--untag', 'remove all tags')
    .action(onBucket(change));
  addBucketDomains(bucket);
  addBucketRules(bucket);
  addBucketStyles(bucket);
}

async function create({ bucket, buckets, signal }: NamedBucket, options: CreateOptions): Promise<void> {
  const region = options.region ?? (await buckets.regions({ signal })).regions[0]?.id ?? '';
  // In the call that makes it: between two calls, everyone could read it.
  await buckets.create(bucket, region, { private: options.private, signal });
  const words = options.private ? 'private' : 'everyone can read what is in it';
  print(
    options,
    { bucket, region, private: options.private ?? false },
    `${bucket} is created in ${region}: ${words}`,
  );
}

async function show({ bucket, buckets, signal }: NamedBucket, options: BucketOptions): Promise<void> {
  const settings = await settingsOf(buckets, bucket, signal);
  const { quota, tags, domains, cors, lifecycle, events } = settings;
  const lines = {
    region: settings.region,
    made: settings.created,
    access: settings.private ? 'private' : 'public',
    'max size': quota.size < 0 ? 'none' : bytesText(quota.size),
    'max objects': quota.count < 0 ? 'none' : quota.count,
    domains: domains.map(escapeForTerminal).join(' ') || 'none',
    tags:
      Object.entries(tags)
        .map(([tag, value]) => escapeForTerminal(`${tag}=${value}`))
        .join(' ') || 'none',
    mirror: settings.mirror.map(escapeForTerminal).join(' ') || 'none',
    styles: countOf(Object.keys(settings.styles), 'millpond bucket style'),
    cors: countOf(cors, 'millpond bucket cors'),
    lifecycle: countOf(lifecycle, 'millpond bucket lifecycle'),
    events: countOf(events, 'millpond bucket events'),
  };
  const width = Math.max(...Object.keys(lines).map(({ length }) => length)) + 2;
  print(
    options,
    settings,
    [bucket, ...Object.entries(lines).map(([label, value]) => `${label.padEnd(width)}${value}`)].join('\n'),
  );
}

async function settingsOf(buckets: Buckets, bucket: string, signal: AbortSignal) {
  const options = { signal };
  const [info, quota, tags, domains, cors, lifecycle, events] = await Promise.all([
    buckets.info(bucket, options),
    buckets.quota(bucket, options),
    buckets.tags(bucket, options),
    buckets.domains(bucket, options),
    buckets.cors(bucket, options),
    buckets.lifecycle(bucket, options),
    buckets.eventRules(bucket, options),
  ]);
  return {
    bucket,
    region: info.region,
    created: info.ctime,
    private: info.private === 1,
    mirror: info.source.split(';').filter((url) => url !== ''),
    styles: info.styles,
    quota,
    tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
    domains,
    cors,
    lifecycle,
    events,
  };
}

function countOf(rules: readonly unknown[], command: string): string {
  return rules.length === 0 ? 'none' : `${rules.length}, see ${command}`;
}

async function change({ bucket, buckets, signal }: NamedBucket, options: SetOptions): Promise<void> {
  const { maxSize: size, maxObjects: count, tag } = options;
  const isAccess = options.private === true || options.public === true;
  const isQuota = size !== undefined || count !== undefined;
  if (tag !== undefined && options.untag) throw new UsageError('give one of --tag and --untag');
  if (!isAccess && !isQuota && tag === undefined && !options.untag)
    throw new UsageError(
      'nothing to change: give --private, --public, --max-size, --max-objects, --tag or --untag',
    );
  if (isAccess) await buckets.setPrivate(bucket, options.private === true, { signal });
  if (isQuota)
    await buckets.setQuota(
      bucket,
      { ...(size === undefined ? {} : { size }), ...(count === undefined ? {} : { count }) },
      { signal },
    );
  if (tag !== undefined)
    await buckets.setTags(
      bucket,
      Object.entries(tag).map(([Key, Value]) => ({ Key, Value })),
      { signal },
    );
  if (options.untag) await buckets.removeTags(bucket, { signal });
  print(options, { bucket }, `${bucket} is changed`);
}

/** -1 in the API: no limit. */
function readMost(read: (text: string) => number): (text: string) => number {
  return (text) => {
    if (text === 'none') return -1;
    const value = read(text);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new InvalidArgumentError('must be a whole number, or none');
    return value;
  };
}
