/** Background work of a process: jobs of the queue, and the periodic ones, each run once in the whole region. */

import { CLASS_MOVE_QUEUE, FETCH_QUEUE, MERGE_QUEUE } from '../compose/queue-requests.ts';
import type { Services } from '../compose/services.ts';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import { FETCH_SLOTS } from '../features/fetches/index.ts';
import { type BlobId, parseBlobId } from '../platform/blobs/index.ts';
import { type Job, LONG_RETRIES, type Queue } from '../platform/queue/queue.ts';
import { startBucketWork } from './bucket-work.ts';
import { defineTaskQueues, startTasks } from './task-work.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** Days for which there are tables already: so long may all workers be away. */
const DAYS_AHEAD = 7;

/** For so long deliveries and their attempts are kept. */
const DELIVERY_DAYS = 30;

/** One at a time: a merge moves bytes as fast as the engine gives them. */
const MERGE_SLOTS = 1;
/** An S3 engine copies by itself, so that a move mostly waits. */
const CLASS_MOVE_SLOTS = 2;
/** Bytes whose move is asked for again in one hour. */
const MOST_STRAGGLERS = 1000;

/** In every process, before anything is enqueued. */
export async function defineQueues(queue: Queue): Promise<void> {
  await queue.define(MERGE_QUEUE, { kind: 'normal', ...LONG_RETRIES });
  await queue.define(FETCH_QUEUE, { kind: 'normal', ...LONG_RETRIES });
  await queue.define(CLASS_MOVE_QUEUE, { kind: 'normal', retryLimit: 10, retryDelayMaxSeconds: 60 });
  await defineTaskQueues(queue);
}

/** Goes on until the queue is closed. */
export async function startWork(
  config: Config,
  infra: Infra,
  queue: Queue,
  services: Services,
): Promise<void> {
  const {
    asyncFetches,
    classMover,
    collector,
    closedAccounts,
    deliveryStore,
    expiry,
    live,
    merger,
    pictures,
    processing,
    tokens,
    transitions,
    uploads,
  } = services;
  await startBucketWork(config, infra, queue, services);
  await queue.every('trash-collect', seconds(config.collectEvery), async (signal) => {
    const removed = await collector.collect(signal);
    if (removed > 0) infra.log.info({ removed }, 'trash collected');
  });
  await queue.every('picture-evict', seconds(config.collectEvery), async (signal) => {
    const removed = await pictures.eviction.run(signal);
    if (removed > 0) infra.log.info({ removed }, 'kept pictures let go');
  });
  await queue.every('blob-sweep', seconds(config.sweepEvery), async (signal) => {
    const removed = await collector.sweep(signal);
    if (removed > 0) infra.log.info({ removed }, 'unnamed blobs removed');
  });
  await queue.every('object-expire', seconds(config.collectEvery), async (signal) => {
    const removed = await expiry.run(signal);
    if (removed > 0) infra.log.info({ removed }, 'objects expired');
  });
  await queue.every('object-transition', seconds(config.collectEvery), async (signal) => {
    const changed = await transitions.run(signal);
    if (changed > 0) infra.log.info({ changed }, 'objects changed class by their lifecycle');
  });
  await queue.every('upload-expire', HOUR_SECONDS, async (signal) => {
    const expired = (await uploads.parts.expire(signal)) + (await uploads.blocks.expire(signal));
    if (expired > 0) infra.log.info({ expired }, 'unfinished uploads expired');
    const forgotten = await uploads.repeats.forget(signal);
    if (forgotten > 0) infra.log.debug({ forgotten }, 'answers of completed uploads forgotten');
  });
  await queue.every('delivery-days', HOUR_SECONDS, async () => {
    await deliveryStore.ensureDays(DAYS_AHEAD);
    const dropped = await deliveryStore.forget(DELIVERY_DAYS);
    if (dropped > 0) infra.log.info({ dropped }, 'old days of deliveries dropped');
  });
  await queue.every('account-remove', HOUR_SECONDS, async (signal) => {
    const removed = await closedAccounts.remove(signal);
    if (removed > 0) infra.log.info({ removed }, 'closed accounts removed');
  });
  await queue.every('token-forget', DAY_SECONDS, async () => {
    const forgotten = await tokens.forgetExpired();
    if (forgotten > 0) infra.log.info({ forgotten }, 'expired tokens forgotten');
  });
  await queue.every('live-forget', HOUR_SECONDS, () => live.forget());
  await queue.every('fetch-forget', DAY_SECONDS, async (signal) => {
    const forgotten = await asyncFetches.forget(signal);
    if (forgotten > 0) infra.log.info({ forgotten }, 'old fetches forgotten');
  });
  await queue.every('class-move-repeat', HOUR_SECONDS, async () => {
    const blobIds = await classMover.stragglers(MOST_STRAGGLERS);
    const jobs = blobIds.map((blobId) => ({ data: { blobId } }));
    if (jobs.length > 0) await queue.enqueueMany(infra.region.pool, CLASS_MOVE_QUEUE, jobs);
  });
  const moveClass = async (job: Job): Promise<void> => {
    const blobId = blobOf(job);
    if (await classMover.move(blobId, job.signal)) infra.log.debug({ blobId }, 'bytes moved to their tier');
  };
  await queue.work({ [CLASS_MOVE_QUEUE]: moveClass }, { slots: CLASS_MOVE_SLOTS });
  const merge = async (job: Job): Promise<void> => {
    const blobId = blobOf(job);
    if (await merger.merge(blobId, job.signal)) infra.log.debug({ blobId }, 'segments merged');
  };
  await queue.work({ [MERGE_QUEUE]: merge }, { slots: MERGE_SLOTS });
  await queue.work({ [FETCH_QUEUE]: (job) => asyncFetches.run(job) }, { slots: FETCH_SLOTS });
  await startTasks(config, infra, queue, processing);
}

function blobOf(job: Job): BlobId {
  const blobId = parseBlobId(String(job.data.blobId));
  if (blobId === undefined) throw new Error('the job names no blob');
  return blobId;
}

/** Sends events until the sender is stopped. */
export function startDeliveries({ metrics }: Infra, { sender }: Services): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge(`millpond_deliveries_${name}`, help, read);
  gauge('held', 'Events that this process holds', () => sender.counts.held);
  gauge('in_flight', 'Events on their way from this process', () => sender.counts.inFlight);
  gauge('sent', 'Events that receivers took from this process', () => sender.counts.sent);
  gauge('failed_tries', 'Tries of this process that failed', () => sender.counts.failed);
  gauge(
    'claim_ms',
    'Milliseconds that a claim takes, the median of the last ones',
    () => sender.counts.claimMs,
  );
  gauge('suspended', 'Endpoints that this process suspended', () => sender.counts.suspended);
  sender.start();
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}
