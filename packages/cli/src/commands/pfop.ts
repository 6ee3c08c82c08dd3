/** `millpond pfop`: submits a processing task, and waits for it if asked. */
import type { TaskRecord } from '@millpond/client/server';
import type { Command } from 'commander';
import { Ended, exitCodes, UsageFault } from '../exit.ts';
import { interruptSignal } from '../interrupt.ts';
import { print } from '../print.ts';
import { Installations } from '../remote/installation.ts';
import { parseObject } from '../remote/place.ts';
import { shown } from '../remote/text.ts';

interface PfopOptions {
  readonly fops?: string;
  readonly workflow?: string;
  readonly notify?: string;
  readonly pipeline?: string;
  readonly force?: boolean;
  readonly idle?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

export function addPfop(program: Command): void {
  program
    .command('pfop')
    .description('process an object: transcode, cut, pack')
    .argument('<object>', '[alias]:bucket/key')
    .option('--fops <commands>', 'what to do, such as avthumb/mp4; several are separated by ;')
    .option('--workflow <name>', 'or a workflow template')
    .option('--notify <url>', 'where the result is told')
    .option('--pipeline <name>', 'queue')
    .option('--force', 'even where the result is there already')
    .option('--idle', 'when there is nothing else to do')
    .option('--wait', 'until it has ended; 1 where it failed')
    .option('--json', 'one JSON object a line')
    .action(async (name: string, options: PfopOptions) => {
      if ((options.fops === undefined) === (options.workflow === undefined))
        throw new UsageFault('give one of --fops and --workflow');
      const { alias, bucket, key } = parseObject(name);
      const { processing } = new Installations().client(alias);
      const signal = interruptSignal();
      const id = await processing.submit(
        {
          bucket,
          key,
          fops: options.fops,
          workflowTemplateID: options.workflow,
          notifyURL: options.notify,
          pipeline: options.pipeline,
          force: options.force,
          idle: options.idle,
        },
        { signal },
      );
      if (!options.wait) {
        print(options, { persistentId: id }, id);
        return;
      }
      const task = await processing.wait(id, { signal });
      print(options, task, taskText(task));
      if (task.code === 3) throw new Ended(exitCodes.partial);
    });
}

function taskText(task: TaskRecord): string {
  const items = task.items.map(({ cmd, desc, key, error }) =>
    `  ${shown(cmd)}: ${desc}${key === undefined ? '' : ` → ${shown(key)}`} ${shown(error)}`.trimEnd(),
  );
  return [`${task.id}  ${task.desc}`, ...items].join('\n');
}
