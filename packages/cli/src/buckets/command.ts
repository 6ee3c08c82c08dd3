/** What the bucket commands share: their options, and the bucket they refer to. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Buckets, Processing } from '@millpond/client/server';
import type { Command } from 'commander';
import { UsageError } from '../exit.ts';
import { interruptSignal } from '../interrupt.ts';
import { Installations } from '../remote/installation.ts';
import { parseBucket } from '../remote/location.ts';
import { prefixNotFound } from '../report.ts';

export interface BucketOptions {
  readonly json?: boolean;
}

export interface NamedBucket {
  readonly bucket: string;
  readonly buckets: Buckets;
  readonly processing: Processing;
  readonly signal: AbortSignal;
}

/** A subcommand that takes one bucket as its argument. */
export function bucketCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument('<bucket>', '[alias]:bucket')
    .option('--json', 'one JSON object per line');
}

/** Runs such a subcommand on its bucket; an error for a missing bucket names it. */
export function onBucket<O>(
  work: (bucket: NamedBucket, options: O) => Promise<void>,
): (name: string, options: O) => Promise<void> {
  return async (name, options) => {
    const { alias, bucket } = parseBucket(name);
    const { buckets, processing } = new Installations().client(alias);
    try {
      await work({ bucket, buckets, processing, signal: interruptSignal() }, options);
    } catch (error) {
      throw prefixNotFound(name, error);
    }
  };
}

/** A list of JSON objects from a file, or from standard input by `-`. */
export async function readList<T>(file: string): Promise<T[]> {
  const given = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  let list: unknown;
  try {
    list = JSON.parse(given);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(list))
    throw new UsageError(`${file} is not a list: write [ … ], also around a single rule`);
  return list as T[];
}
