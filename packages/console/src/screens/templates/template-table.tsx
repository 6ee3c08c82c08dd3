/** The templates, each with what it does in words and how many triggers run it. */
import type { Trigger, Workflow } from '@millpond/client/session';
import { shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { explainStage, inOneLine } from '../commands/explain.ts';
import styles from './templates.module.css';

export function TemplateTable({
  templates,
  triggers,
  open,
}: {
  readonly templates: readonly Workflow[];
  readonly triggers: readonly Trigger[];
  readonly open: (name: string) => void;
}) {
  const say = useTranslations('templates');
  const explain = useTranslations('commands');
  const explainFirst = (commands: string) => {
    const [first = ''] = commands.split(';');
    return inOneLine(first.split('|').flatMap((stage) => explainStage(stage, explain)));
  };
  return (
    <RecordTable
      label={say('template.title')}
      className={styles.tall}
      rows={templates}
      rowKey={({ name }) => name}
      columns={[
        {
          id: 'name',
          header: say('column.name'),
          className: styles.name,
          value: ({ name }) => name,
          cell: ({ name }) => (
            <button type="button" className="link mono truncate" onClick={() => open(name)}>
              {name}
            </button>
          ),
        },
        {
          id: 'commands',
          header: say('column.commands'),
          value: ({ commands }) => commands,
          cell: ({ commands }) => (
            <>
              <code className="truncate">{commands}</code>
              <span className="truncate quiet text-small">{explainFirst(commands)}</span>
            </>
          ),
        },
        {
          id: 'triggers',
          header: say('column.triggers'),
          kind: 'number',
          value: ({ name }) => triggers.filter(({ workflow }) => workflow === name).length,
        },
        {
          id: 'updatedAt',
          header: say('column.changed'),
          kind: 'time',
          tone: 'soft',
          className: `numeric ${styles.when}`,
          format: shortTime,
        },
      ]}
    />
  );
}
