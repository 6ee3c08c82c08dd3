/** Styles of a bucket: names for commands on images, and whether URLs may contain other commands. */
import { type Command, Option } from 'commander';
import { readPair } from '../option-readers.ts';
import { print, printRows } from '../print.ts';
import { type BucketOptions, bucketCommand, type NamedBucket, onBucket } from './command.ts';

interface StyleOptions extends BucketOptions {
  readonly set?: Record<string, string>;
  readonly remove?: string[];
  readonly separator?: string;
  readonly allow?: 'all' | 'signed' | 'styles';
}

export function addBucketStyles(parent: Command): void {
  bucketCommand(parent, 'style', 'show and change its styles: names for image commands')
    .option('--set <name=command>', 'such as small=imageView2/2/w/200; may be repeated', readPair)
    .option('--remove <names...>', 'remove these')
    .option('--separator <characters>', 'what separates a key from the name of a style')
    .addOption(
      new Option('--allow <which>', 'which commands URLs may contain').choices(['all', 'signed', 'styles']),
    )
    .action(onBucket(style));
}

async function style({ bucket, processing, signal }: NamedBucket, options: StyleOptions): Promise<void> {
  const { separator, allow } = options;
  for (const old of options.remove ?? []) await processing.removeStyle(bucket, old, { signal });
  for (const [made, command] of Object.entries(options.set ?? {}))
    await processing.putStyle(bucket, made, command, { signal });
  if (separator !== undefined || allow !== undefined)
    await processing.setStyleRules(
      bucket,
      { ...(separator === undefined ? {} : { separator }), ...(allow === undefined ? {} : { allow }) },
      { signal },
    );
  const now = await processing.styles(bucket, { signal });
  if (options.json) return print(options, now, '');
  print(
    options,
    {},
    `separator ${now.separator}, URLs may contain ${now.allow === 'all' ? 'all commands' : now.allow}\n`,
  );
  printRows(options, now.items, ['name', 'command']);
}
