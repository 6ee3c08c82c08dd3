/** Builds a command from forms, shows what it makes of an object, and hands it on: as a URL, as a task, as text. */
import { parseUrlCommands } from '@millpond/protocol';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { Boxes, ChevronDown, Plus, Send } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Screen } from '../../ui/screen.tsx';
import { beginning, parseProblem, readStages, type StageText, writeStages } from './command-text.ts';
import { CommandWays } from './command-ways.tsx';
import styles from './commands.module.css';
import { explainStage, inOneLine } from './explain.ts';
import { ObjectChoice } from './object-choice.tsx';
import { Preview } from './preview.tsx';
import type { CommandsSearch } from './search.ts';
import { StageForm } from './stage-form.tsx';
import { SubmitDialog } from './submit-dialog.tsx';
import { commandNames } from './tables.ts';

export const CommandsScreen = createLazyRoute('/shell/commands')({ component: Commands });

function Commands() {
  const say = useTranslations('commands');
  const navigate = useNavigate();
  const { bucket = '', key = '', command = '' }: CommandsSearch = CommandsScreen.useSearch();
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (change: CommandsSearch) =>
    void navigate({
      to: '/commands',
      search: (was) => ({ ...was, ...change }),
      replace: true,
      resetScroll: false,
    });
  const stages = command.includes(';') ? [] : readStages(command);
  const write = (changed: readonly StageText[]) => set({ command: writeStages(changed) });
  const shown = useDeferredValue(command);
  const fault = command === '' ? undefined : parseProblem(command, 'task');
  const byUrl = command === '' ? undefined : parseProblem(command, 'url');
  const place = bucket === '' || key === '' ? undefined : { bucket, key };
  return (
    <Screen
      title={say('title')}
      className={styles.screen}
      acts={
        <Button
          kind="primary"
          icon={<Send className="icon" aria-hidden />}
          disabled={place === undefined || command === '' || fault !== undefined}
          onClick={() => setSubmitted(true)}
        >
          {say('submit.open')}
        </Button>
      }
    >
      <div className={styles.builder}>
        <div className={styles.forms}>
          <ObjectChoice key={`${bucket}/${key}`} bucket={bucket} objectKey={key} choose={set} />
          <CommandLine command={command} fault={fault} set={(text) => set({ command: text })} />
          {stages.map((stage, at) => (
            <StageForm
              // biome-ignore lint/suspicious/noArrayIndexKey: stages are numbered
              key={at}
              stage={stage}
              at={at}
              count={stages.length}
              change={(changed) => write(stages.with(at, changed))}
              remove={() => write(stages.toSpliced(at, 1))}
              move={(by) => write(stages.toSpliced(at, 1).toSpliced(at + by, 0, stage))}
            />
          ))}
          <AddStage
            add={(name) =>
              set({ command: command === '' ? beginning(name) : `${command}|${beginning(name)}` })
            }
          />
        </div>
        <div className={styles.shown}>
          {command === '' ? (
            <Empty
              title={say('empty.title')}
              words={say('empty.words')}
              icon={<Boxes className="icon" aria-hidden />}
            />
          ) : (
            <>
              {place !== undefined && fault === undefined && byUrl === undefined && (
                <Preview place={place} command={shown} />
              )}
              {place === undefined && <p className="note">{say('preview.noObject')}</p>}
              {fault === undefined && byUrl !== undefined && (
                <p className="note accent">
                  <StatusMark state="busy" />
                  <span>
                    {say('preview.asTask')} <span className="soft">{byUrl}</span>
                  </span>
                </p>
              )}
              <Explained command={command} />
              <CommandWays place={place} command={command} isByUrl={isByUrl(command)} />
            </>
          )}
        </div>
      </div>
      {isSubmitted && place !== undefined && (
        <SubmitDialog place={place} command={command} close={() => setSubmitted(false)} />
      )}
    </Screen>
  );
}

function isByUrl(command: string): boolean {
  try {
    return parseUrlCommands(command).stages.length > 0;
  } catch {
    return false;
  }
}

function CommandLine({
  command,
  fault,
  set,
}: {
  readonly command: string;
  readonly fault: string | undefined;
  readonly set: (command: string) => void;
}) {
  const say = useTranslations('commands');
  return (
    <div className="field">
      <div className="row">
        <label className="label grow" htmlFor="command-text">
          {say('line.label')}
        </label>
        {command !== '' && <Copy text={command} label={say('line.copy')} />}
      </div>
      <textarea
        id="command-text"
        className="input mono"
        rows={2}
        spellCheck={false}
        value={command}
        placeholder="imageView2/2/w/400"
        aria-invalid={fault !== undefined}
        aria-describedby="command-hint"
        onChange={(event) => set(event.target.value.replaceAll(/\s+/g, ''))}
      />
      <span id="command-hint" className={`hint ${fault === undefined ? '' : 'bad'}`}>
        {fault ?? say('line.hint')}
      </span>
    </div>
  );
}

function AddStage({ add }: { readonly add: (name: string) => void }) {
  const say = useTranslations('commands');
  return (
    <span className={`select ${styles.addSelect}`}>
      <Plus className="icon" aria-hidden />
      <select
        className="input large"
        aria-label={say('stage.add')}
        value=""
        onChange={(event) => add(event.target.value)}
      >
        <option value="">{say('stage.add')}</option>
        {commandNames.map((name) => (
          <option key={name} value={name}>
            {`${name}: ${say(`about.${name}`)}`}
          </option>
        ))}
      </select>
      <ChevronDown className="icon" aria-hidden />
    </span>
  );
}

/** The command in words. */
function Explained({ command }: { readonly command: string }) {
  const say = useTranslations('commands');
  const stages = command.split(';').flatMap((fop) => fop.split('|'));
  const phrases = stages.map((stage) => explainStage(stage, say));
  if (phrases.every((each) => each.length === 0)) return null;
  return (
    <section>
      <h2>{say('explained')}</h2>
      <ol className={styles.explained}>
        {phrases.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages are numbered
          <li key={at}>
            <span className="quiet tabular">{at}</span>
            <span>{inOneLine(each)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
