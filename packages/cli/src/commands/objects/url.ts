/** `millpond url`: a signed URL of an object, usable by anyone who has it. */
import type { Command } from 'commander';
import { readNumber } from '../../option-readers.ts';
import { print } from '../../print.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote, parseObject } from '../../remote/place.ts';

interface UrlOptions {
  readonly expires: number;
  readonly query?: string;
  readonly playlist?: boolean;
  readonly attname?: string;
  readonly domain?: string;
  readonly json?: boolean;
}

const MOST_SECONDS = 999_999_999;

export function addUrl(program: Command): void {
  program
    .command('url')
    .description('print a signed URL of an object, for whoever has it')
    .argument('<object>', '[alias]:bucket/key; whether it is there is not asked')
    .option('--expires <seconds>', 'it is good for so long', readNumber(1, MOST_SECONDS), 3600)
    .option('--query <query>', 'a command on images and the like, such as imageView2/2/w/200')
    .option(
      '--playlist',
      'it is a playlist of HLS: what it names in its bucket is signed, too, so that the URL plays',
    )
    .option('--attname <name>', 'a browser saves it under this name')
    .option('--domain <host>', 'at a host name that is bound to the bucket, instead of the server’s own')
    .option('--json', 'one JSON object a line')
    .action((name: string, { expires, query, playlist, attname, domain, ...options }: UrlOptions) => {
      const place = parseObject(name);
      const client = new Installations().client(place.alias);
      const url = client.downloadUrl(place.bucket, place.key, { expires, query, playlist, attname, domain });
      print(options, { source: formatRemote(place), url, expires }, url);
    });
}
