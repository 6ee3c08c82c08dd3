/** The form of a key's limits. Each is chosen by its name, and so is that there is none: what is left empty allows nothing. */
import { keyActions } from '@millpond/protocol';
import { type ReactNode, useId } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { Segments } from '../../../ui/segments.tsx';
import styles from '../access.module.css';
import type { LimitName, missingIn, WrittenLimits } from './limit-words.ts';

export function LimitFields({
  value,
  missing,
  onChange,
}: {
  readonly value: WrittenLimits;
  /** What the form was refused for. */
  readonly missing: ReturnType<typeof missingIn>;
  readonly onChange: (value: WrittenLimits) => void;
}) {
  const say = useTranslations('access');
  const id = useId();
  const set = (change: Partial<WrittenLimits>) => onChange({ ...value, ...change });
  const limit = (name: LimitName, field: ReactNode) => (
    <Limit
      name={name}
      isChosen={value.chosen.includes(name)}
      isMissing={missing === name}
      choose={(isChosen) =>
        set({ chosen: isChosen ? [...value.chosen, name] : value.chosen.filter((each) => each !== name) })
      }
    >
      {field}
    </Limit>
  );
  const toggle = (action: string) =>
    set({
      actions: value.actions.includes(action)
        ? value.actions.filter((each) => each !== action)
        : [...value.actions, action],
    });
  return (
    <>
      {limit(
        'actions',
        <div className={styles.permissionList}>
          {keyActions.map((action) => (
            <label key={action} className="row">
              <input
                type="checkbox"
                className="check"
                checked={value.actions.includes(action)}
                onChange={() => toggle(action)}
              />
              <span>{say(`action.${action}`)}</span>
              <code className="quiet">{action}</code>
            </label>
          ))}
        </div>,
      )}
      {limit(
        'buckets',
        <TextField
          label={say('limit.buckets')}
          hint={say('limit.buckets.hint')}
          value={value.buckets}
          onChange={(event) => set({ buckets: event.target.value })}
        />,
      )}
      {limit(
        'prefixes',
        <div className="field">
          <label className="label" htmlFor={id}>
            {say('limit.prefixes')}
          </label>
          <textarea
            id={id}
            className="input"
            rows={2}
            value={value.prefixes}
            onChange={(event) => set({ prefixes: event.target.value })}
          />
          <span className="hint">{say('limit.prefixes.hint')}</span>
        </div>,
      )}
      {limit(
        'networks',
        <TextField
          label={say('limit.networks')}
          hint={say('limit.networks.hint')}
          value={value.networks}
          onChange={(event) => set({ networks: event.target.value })}
        />,
      )}
      {limit(
        'expiresAt',
        <TextField
          label={say('limit.expiresAt')}
          hint={say('limit.expiresAt.hint')}
          type="datetime-local"
          value={value.ends}
          onChange={(event) => set({ ends: event.target.value })}
        />,
      )}
      {missing === 'any' && (
        <p className="note bad" role="alert">
          {say('limit.missing.any')}
        </p>
      )}
    </>
  );
}

function Limit({
  name,
  isChosen,
  isMissing,
  choose,
  children,
}: {
  readonly name: LimitName;
  readonly isChosen: boolean;
  readonly isMissing: boolean;
  readonly choose: (isChosen: boolean) => void;
  readonly children: ReactNode;
}) {
  const say = useTranslations('access');
  return (
    <fieldset className={styles.limit}>
      <legend className="label">{say(`limit.${name}`)}</legend>
      <Segments
        label={say(`limit.${name}`)}
        value={isChosen ? 'only' : 'all'}
        options={[
          { value: 'all', words: say(`limit.${name}.all`) },
          { value: 'only', words: say(name === 'expiresAt' ? 'limit.until' : 'limit.only') },
        ]}
        onChange={(way) => choose(way === 'only')}
      />
      {isChosen && children}
      {isMissing && (
        <p className="note bad" role="alert">
          {say(`limit.missing.${name}`)}
        </p>
      )}
    </fieldset>
  );
}
