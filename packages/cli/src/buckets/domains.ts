/** Domains of a bucket: the owner's host names at which it is read. */
import type { Command } from 'commander';
import { NotFoundError } from '../exit.ts';
import { printRows } from '../print.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { type BucketOptions, bucketCommand, type NamedBucket, onBucket } from './command.ts';

interface DomainOptions extends BucketOptions {
  readonly add?: string[];
  readonly remove?: string[];
}

export function addBucketDomains(parent: Command): void {
  bucketCommand(parent, 'domain', 'show and change the custom domains that serve it')
    .option('--add <hosts...>', 'such as files.example.com; a DNS TXT record must prove that it is yours')
    .option('--remove <hosts...>', 'remove these')
    .addHelpText('after', '\nIf the proof is missing, the error says which record to publish.')
    .action(onBucket(domain));
}

async function domain({ bucket, buckets, signal }: NamedBucket, options: DomainOptions): Promise<void> {
  const bound = options.remove === undefined ? [] : await buckets.domains(bucket, { signal });
  for (const host of options.remove ?? []) {
    // The call unbinds a name from whichever bucket of the account has it.
    if (!bound.includes(host.toLowerCase()))
      throw new NotFoundError(`${escapeForTerminal(host)} is not a domain of ${bucket}`);
    await buckets.unbindDomain(host, { signal });
  }
  for (const host of options.add ?? []) await buckets.bindDomain(host, bucket, { signal });
  const records = await buckets.domainRecords(bucket, { signal });
  const rows = records.map(({ domain: host, ctime }) => ({ domain: host, bound: new Date(ctime * 1000) }));
  printRows(options, rows, ['domain', 'bound']);
}
