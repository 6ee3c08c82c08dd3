/** This task as calls and commands: shown again, or run again. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { isOver } from '../task-facts.ts';

export function TaskCommands({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const curl = useCurl();
  const { id } = task;
  const commands = isOver(task)
    ? {
        curl: curl({ role: 'api', target: `/v1/tasks/${id}/rerun`, method: 'POST' }),
        cli: `millpond task rerun --wait \\\n  ${id}`,
        sdk: `const id = await client.processing.rerun(\n  '${id}');`,
      }
    : {
        curl: curl({ role: 'api', target: `/v1/tasks/${id}` }),
        cli: `millpond task show --wait \\\n  ${id}`,
        sdk: `const task = await client.processing.wait(\n  '${id}');`,
      };
  return (
    <section>
      <div className="section-head">
        <h2>{say('asCommand')}</h2>
      </div>
      <CommandTabs commands={commands} />
    </section>
  );
}
