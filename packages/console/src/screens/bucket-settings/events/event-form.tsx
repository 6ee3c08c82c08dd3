/** One rule of events as a form: all ways of an event, or some of them. */
import type { EventRule } from '@millpond/client/session';
import { type ObjectEventName, objectEvents } from '@millpond/protocol';
import { useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import styles from '../bucket-settings.module.css';
import { RuleDialog } from '../rule-dialog.tsx';

const NONE: EventRule = { name: '', url: '', events: ['created', 'overwritten', 'deleted'] };
const NAMES = Object.keys(objectEvents) as ObjectEventName[];

export function EventForm({
  rule: before,
  close,
  save,
}: {
  /** Undefined for a new one. */
  readonly rule: EventRule | undefined;
  readonly close: () => void;
  readonly save: (rule: EventRule) => Promise<unknown>;
}) {
  const say = useTranslations('bucket-settings');
  const [rule, setRule] = useState<EventRule>(before ?? NONE);
  const text = (field: 'name' | 'url' | 'prefix' | 'suffix') => ({
    value: rule[field] ?? '',
    onChange: (event: { target: { value: string } }) => setRule({ ...rule, [field]: event.target.value }),
  });
  const size = (field: 'minSize' | 'maxSize') => ({
    type: 'number',
    min: 0,
    value: rule[field] ?? '',
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setRule({ ...rule, [field]: value === '' ? undefined : Number(value) }),
  });
  return (
    <RuleDialog
      title={before === undefined ? say('events.new') : say('events.rule', { name: before.name })}
      close={close}
      save={() => save(withoutEmpty(rule))}
    >
      <div className={styles.twoColumns}>
        <TextField label={say('events.name')} {...text('name')} readOnly={before !== undefined} required />
        <TextField
          label={say('events.url')}
          type="url"
          placeholder="https://app.example.com/millpond"
          {...text('url')}
          required
        />
      </div>
      <fieldset className={styles.eventNames}>
        <legend className="label">{say('events.which')}</legend>
        {NAMES.map((name) => (
          <EventChoice
            key={name}
            name={name}
            chosen={rule.events}
            onChange={(events) => setRule({ ...rule, events })}
          />
        ))}
      </fieldset>
      <div className={styles.fourColumns}>
        <TextField label={say('prefix')} placeholder="photos/" {...text('prefix')} />
        <TextField label={say('suffix')} placeholder=".jpg" {...text('suffix')} />
        <TextField label={say('events.minSize')} {...size('minSize')} />
        <TextField label={say('events.maxSize')} {...size('maxSize')} />
      </div>
    </RuleDialog>
  );
}

function EventChoice({
  name,
  chosen,
  onChange,
}: {
  readonly name: ObjectEventName;
  readonly chosen: readonly string[];
  readonly onChange: (events: string[]) => void;
}) {
  const say = useTranslations('bucket-settings');
  const ways = Object.keys(objectEvents[name].ways);
  const some = chosen.filter((event) => event.startsWith(`${name}.`));
  const others = chosen.filter((event) => event !== name && !event.startsWith(`${name}.`));
  const isAll = chosen.includes(name);
  return (
    <div className={styles.eventChoice}>
      <label>
        <input
          type="checkbox"
          className="check"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = !isAll && some.length > 0;
          }}
          onChange={({ target }) => onChange(target.checked ? [...others, name] : others)}
        />
        <code>{name}</code>
        <span className="quiet text-small">{say(`events.${name}`)}</span>
      </label>
      {ways.length > 0 && !isAll && (
        <details open={some.length > 0}>
          <summary className="link">{say('events.ways')}</summary>
          <div className={styles.checks}>
            {ways.map((way) => {
              const event = `${name}.${way}`;
              return (
                <label key={way}>
                  <input
                    type="checkbox"
                    className="check"
                    checked={some.includes(event)}
                    onChange={({ target }) =>
                      onChange([
                        ...others,
                        ...(target.checked ? [...some, event] : some.filter((other) => other !== event)),
                      ])
                    }
                  />
                  <code>{way}</code>
                </label>
              );
            })}
          </div>
        </details>
      )}
    </div>
  );
}

function withoutEmpty({ prefix, suffix, minSize, maxSize, ...rule }: EventRule): EventRule {
  return {
    ...rule,
    ...(prefix ? { prefix } : {}),
    ...(suffix ? { suffix } : {}),
    ...(minSize ? { minSize } : {}),
    ...(maxSize === undefined ? {} : { maxSize }),
  };
}
