/** One field of the policy, by the type that the protocol gives it. An empty input leaves the field out. */
import { type PolicyField, policyFields } from '@millpond/protocol';
import { useId } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { withField } from './draft.ts';
import type { DraftField, DraftFields } from './search.ts';
import styles from './tokens.module.css';

/** Templates and lists, which need room. */
const LONG = new Set<DraftField>([
  'callbackBody',
  'returnBody',
  'persistentOps',
  'keylimit',
  'responseHeaders',
]);

export interface PolicyInputProps {
  readonly name: DraftField;
  readonly fields: DraftFields;
  readonly set: (fields: DraftFields) => void;
  readonly placeholder?: string;
  readonly hint?: string;
}

export function PolicyInput({ name, fields, set, placeholder, hint }: PolicyInputProps) {
  const say = useTranslations('tokens');
  const id = useId();
  const field: PolicyField = policyFields[name];
  const value = fields[name];
  const change = (next: unknown) => set(withField(fields, name, next));
  if (field.type === 'flag' || (field.min === 0 && field.max === 1) || name === 'insertOnly') {
    const on = field.type === 'flag' ? true : 1;
    return (
      <label className={styles.switchRow}>
        <input
          type="checkbox"
          className={styles.switch}
          checked={value === on}
          onChange={({ target }) => change(target.checked ? on : undefined)}
        />
        <span>{say(`field.${name}` as 'field.insertOnly')}</span>
        <code className="optional">{name}</code>
      </label>
    );
  }
  const common = {
    id,
    placeholder,
    'aria-describedby': `${id}-hint`,
    value: textOf(value),
    onChange: ({ target }: { target: { value: string } }) => change(readValue(field, target.value)),
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {say(`field.${name}` as 'field.saveKey')}
        <code className="optional">{name}</code>
      </label>
      {LONG.has(name) ? (
        <textarea className="input mono" rows={2} spellCheck={false} {...common} />
      ) : (
        <input
          className={`input ${field.type === 'text' ? 'mono' : ''}`}
          type={field.type === 'integer' ? 'number' : 'text'}
          min={field.min}
          max={field.max}
          spellCheck={false}
          autoComplete="off"
          {...common}
        />
      )}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function textOf(value: DraftFields[DraftField]): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${text}`)
      .join('\n');
  return String(value);
}

function readValue({ type }: PolicyField, text: string): unknown {
  if (text === '') return undefined;
  switch (type) {
    case 'integer':
      return Number(text);
    case 'texts':
      return text.split('\n');
    case 'headers':
      return Object.fromEntries(
        text.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trimStart()];
        }),
      );
    case 'text':
    case 'flag':
      return text;
  }
}
