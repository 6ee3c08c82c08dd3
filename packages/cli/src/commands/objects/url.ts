/** `millpond url`: a signed URL of an object, usable by anyone who has it. */
import type { Command } from 'commander';
import { readNumber } from '../../option-readers.ts';
import { print } from '../../print.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote, parseObject } from '../../remote/location.ts';

interface UrlOptions {
  readonly expires: number;
  readonly query?: string;
  readonly playlist?: boolean;
  readonly attname?: string;
  readonly domain?: string;
  readonly json?: boolean;
}

const MAX_SECONDS = 999_999_999;

export function addUrl(program: Command): void {
  program
    .command('url')
    .description('print a signed URL of an object that works for anyone who has it')
    .argument('<object>', '[alias]:bucket/key; it need not exist')
    .option('--expires <seconds>', 'how long it is valid', readNumber(1, MAX_SECONDS), 3600)
    .option('--query <query>', 'a processing command, such as imageView2/2/w/200')
    .option(
      '--playlist',
      'the object is an HLS playlist: also sign what it refers to in its bucket, so that the URL plays',
    )
    .option('--attname <name>', 'name that browsers save it under')
    .option(
      '--domain <host>',
      'use this host name, which is bound to the bucket, instead of the server’s own',
    )
    .option('--json', 'one JSON object per line')
    .action((name: string, { expires, query, playlist, attname, domain, ...options }: UrlOptions) => {
      const place = parseObject(name);
      const client = new Installations().client(place.alias);
      const url = client.downloadUrl(place.bucket, place.key, { expires, query, playlist, attname, domain });
      print(options, { source: formatRemote(place), url, expires }, url);
    });
}
