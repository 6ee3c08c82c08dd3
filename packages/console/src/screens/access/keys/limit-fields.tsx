/** The form of a key's limits. What is left empty is not limited. */
import { keyActions } from '@millpond/protocol';
import { useId } from 'react';
import { useWords } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import type { WrittenLimits } from './limit-words.ts';

export function LimitFields({
  value,
  onChange,
}: {
  readonly value: WrittenLimits;
  readonly onChange: (value: WrittenLimits) => void;
}) {
  const say = useWords('access');
  const id = useId();
  const set = (change: Partial<WrittenLimits>) => onChange({ ...value, ...change });
  const toggle = (action: string) =>
    set({
      actions: value.actions.includes(action)
        ? value.actions.filter((each) => each !== action)
        : [...value.actions, action],
    });
  return (
    <>
      <fieldset className="actions">
        <legend className="label">{say('limit.actions')}</legend>
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
        <span className="hint">{say('limit.actions.hint')}</span>
      </fieldset>
      <TextField
        label={say('limit.buckets')}
        hint={say('limit.buckets.hint')}
        value={value.buckets}
        onChange={(event) => set({ buckets: event.target.value })}
      />
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
      </div>
      <TextField
        label={say('limit.networks')}
        hint={say('limit.networks.hint')}
        value={value.networks}
        onChange={(event) => set({ networks: event.target.value })}
      />
      <TextField
        label={say('limit.expiresAt')}
        hint={say('limit.expiresAt.hint')}
        type="datetime-local"
        value={value.ends}
        onChange={(event) => set({ ends: event.target.value })}
      />
    </>
  );
}
