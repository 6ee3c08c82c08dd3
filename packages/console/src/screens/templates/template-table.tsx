/** The templates, each with what it does in words and how many triggers run it. */
import type { Trigger, Workflow } from '@millpond/client/session';
import { shortTime } from '../../lib/format.ts';
import { useWords } from '../../lib/words.ts';
import { explainStage, inOneLine } from '../commands/explain.ts';

export function TemplateTable({
  templates,
  triggers,
  open,
}: {
  readonly templates: readonly Workflow[];
  readonly triggers: readonly Trigger[];
  readonly open: (name: string) => void;
}) {
  const say = useWords('templates');
  const explain = useWords('commands');
  return (
    <table className="table tall">
      <thead>
        <tr>
          <th scope="col" className="name">
            {say('column.name')}
          </th>
          <th scope="col">{say('column.commands')}</th>
          <th scope="col" className="n">
            {say('column.triggers')}
          </th>
          <th scope="col" className="n when">
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
              <td className="name">
                <button type="button" className="link mono cut" onClick={() => open(name)}>
                  {name}
                </button>
              </td>
              <td>
                <code className="cut">{commands}</code>
                <span className="cut quiet sm">{inOneLine(words)}</span>
              </td>
              <td className="n">{triggers.filter(({ workflow }) => workflow === name).length}</td>
              <td className="n when soft">{shortTime(updatedAt)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
