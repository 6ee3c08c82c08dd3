/** The templates, each with what it does in words and how many triggers run it. */
import type { Trigger, Workflow } from '@millpond/client/session';
import { shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
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
  return (
    <table className={`table ${styles.tall}`}>
      <thead>
        <tr>
          <th scope="col" className={styles.name}>
            {say('column.name')}
          </th>
          <th scope="col">{say('column.commands')}</th>
          <th scope="col" className="numeric">
            {say('column.triggers')}
          </th>
          <th scope="col" className={`numeric ${styles.when}`}>
            {say('column.changed')}
          </th>
        </tr>
      </thead>
      <tbody>
        {templates.map(({ name, commands, updatedAt }) => {
          const [first = ''] = commands.split(';');
          const words = first.split('|').flatMap((stage) => explainStage(stage, explain));
          return (
            <tr key={name}>
              <td className={styles.name}>
                <button type="button" className="link mono truncate" onClick={() => open(name)}>
                  {name}
                </button>
              </td>
              <td>
                <code className="truncate">{commands}</code>
                <span className="truncate quiet text-small">{inOneLine(words)}</span>
              </td>
              <td className="numeric">{triggers.filter(({ workflow }) => workflow === name).length}</td>
              <td className={`numeric ${styles.when} soft`}>{shortTime(updatedAt)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
