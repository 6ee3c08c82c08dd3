/** `millpond trigger`: which uploads start which workflow template. */
import type { Command } from 'commander';
import { print } from '../../print.ts';
import { parseBucket } from '../../remote/location.ts';
import { addOwnDelete, addOwnList, onOne } from './own-command.ts';

const COLUMNS = ['id', 'bucket', 'prefix', 'suffix', 'workflow', 'force', 'notifyURL'];

interface AddOptions {
  readonly json?: boolean;
  readonly workflow: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly force?: boolean;
  readonly notify?: string;
}

export function addTrigger(program: Command): void {
  const trigger = program
    .command('trigger')
    .description('list, create and delete triggers: which uploads start which template');
  addOwnList(trigger, 'list triggers', COLUMNS, (processing, calling) => processing.triggers(calling));
  trigger
    .command('add')
    .description('run a template on each object that is uploaded or fetched and matches')
    .argument('<bucket>', '[alias]:bucket')
    .requiredOption('--workflow <name>', 'the template')
    .option('--prefix <text>', 'only keys that begin with it')
    .option('--suffix <text>', 'only keys that end with it, such as .mp4')
    .option('--force', 'results replace existing objects; else an object that exists stays')
    .option('--notify <url>', 'URL that is notified of the result')
    .option('--json', 'one JSON object per line')
    .action(add);
  addOwnDelete(
    trigger,
    'delete a trigger; tasks that it has started go on',
    ['id', 'id of the trigger'],
    (processing, id, calling) => processing.removeTrigger(id, calling),
  );
}

async function add(name: string, options: AddOptions): Promise<void> {
  const { workflow, prefix, suffix, force, notify } = options;
  const { alias, bucket } = parseBucket(name);
  const asked = {
    bucket,
    workflow,
    ...(prefix !== undefined && { prefix }),
    ...(suffix !== undefined && { suffix }),
    ...(force !== undefined && { force }),
    ...(notify !== undefined && { notifyURL: notify }),
  };
  const made = await onOne(name, alias, (processing, calling) => processing.addTrigger(asked, calling));
  print(options, made, made.id);
}
