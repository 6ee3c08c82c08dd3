/** A template as a form. The parser's own words say what is wrong with its commands before they are sent. */
import type { Workflow } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { parseProblem } from '../commands/command-text.ts';
import { explainStage, inOneLine } from '../commands/explain.ts';
import styles from './templates.module.css';
import { useTemplatesAct } from './use-templates-act.ts';

export function TemplateDialog({
  template,
  close,
}: {
  /** Undefined: a new one. */
  readonly template: Workflow | undefined;
  readonly close: () => void;
}) {
  const say = useTranslations('templates');
  const explain = useTranslations('commands');
  const session = useSession();
  const curl = useCurl();
  const { client } = session;
  const queries = useQueryClient();
  const id = useId();
  const { isPending, error, run } = useTemplatesAct();
  const [name, setName] = useState(template?.name ?? '');
  const [commands, setCommands] = useState(template?.commands ?? '');
  const [isAsked, setAsked] = useState(false);
  const fault = commands === '' ? undefined : parseProblem(commands, 'task');
  const save = () =>
    run(async () => {
      await client.processing.putWorkflow(name, commands);
      close();
    });
  const remove = async () => {
    await client.processing.removeWorkflow(name);
    await queries.invalidateQueries({ queryKey: ['templates'] });
    close();
  };
  return (
    <>
      <FormDialog
        wide
        title={template === undefined ? say('template.new') : template.name}
        close={close}
        act={say('template.save')}
        isReady={fault === undefined && name !== '' && commands !== ''}
        waits={isPending}
        onSubmit={save}
        error={error}
        failed={say('template.failed')}
        also={
          template !== undefined && (
            <Button kind="danger" onClick={() => setAsked(true)}>
              {say('remove.act')}
            </Button>
          )
        }
        below={
          <CommandTabs
            commands={{
              curl: curl({
                role: 'api',
                target: `/v1/workflows/${encodeURIComponent(name)}`,
                method: 'PUT',
                json: { commands },
              }),
              cli: `millpond workflow set ${shellWord(name)} \\\n  ${shellWord(commands)}`,
              sdk: `await client.processing.putWorkflow(${JSON.stringify(name)},\n  ${JSON.stringify(commands)});`,
            }}
          />
        }
      >
        {template === undefined && (
          <TextField
            label={say('column.name')}
            hint={say('template.nameHint')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <div className="field">
          <label className="label" htmlFor={`${id}-commands`}>
            {say('column.commands')}
          </label>
          <textarea
            id={`${id}-commands`}
            className="input mono"
            rows={5}
            spellCheck={false}
            value={commands}
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setCommands(event.target.value.trim())}
          />
          <span id={`${id}-hint`} className={`hint ${fault === undefined ? '' : 'bad'}`}>
            {fault ?? say('template.commandsHint')}
          </span>
        </div>
        {commands !== '' && fault === undefined && (
          <ol className={styles.explained}>
            {commands.split(';').map((command) => (
              <li key={command}>
                {inOneLine(command.split('|').flatMap((stage) => explainStage(stage, explain)))}
              </li>
            ))}
          </ol>
        )}
      </FormDialog>
      <Confirm
        title={say('remove.template', { name })}
        act={say('remove.act')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={remove}
      >
        <p>{say('remove.templateWords')}</p>
      </Confirm>
    </>
  );
}
