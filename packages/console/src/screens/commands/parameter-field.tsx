/** A field for one value of a command, by the shape that the protocol gives it. What is encoded is written and read as it is meant. */
import { type AnyForm, decodeBase64Text, encodeBase64Text, type ValueShape } from '@millpond/protocol';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { type Say, useTranslations } from '../../lib/words.ts';
import styles from './commands.module.css';

export interface ValueFieldProps {
  readonly label: string;
  /** Its name on the wire. */
  readonly code?: string | undefined;
  readonly form: AnyForm;
  readonly value: string;
  /** An empty value leaves it out. */
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean | undefined;
  readonly options?: ((word: string) => string) | undefined;
}

export function ValueField({ label, code, form, value, onChange, isRequired, options }: ValueFieldProps) {
  const say = useTranslations('commands');
  const id = useId();
  const { shape } = form;
  const isWrong = value !== '' && form.read(value) === undefined;
  const common = { id, className: 'input', 'aria-invalid': isWrong, 'aria-describedby': `${id}-hint` };
  return (
    <div className={styles.valueField}>
      <label htmlFor={id}>
        {label}
        {code !== undefined && <code className="quiet">{code}</code>}
      </label>
      {choicesOf(shape) === undefined ? (
        <input
          {...common}
          {...inputOf(shape)}
          value={shownOf(shape, value)}
          required={isRequired}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(writtenOf(shape, event.target.value))}
        />
      ) : (
        <span className="select">
          <select {...common} value={value} onChange={(event) => onChange(event.target.value)}>
            {!isRequired && <option value="">{say('parameter.unset')}</option>}
            {withCurrent(choicesOf(shape) ?? [], value).map((word) => (
              <option key={word} value={word}>
                {shape?.kind === 'flag'
                  ? say(word === '1' ? 'flag.yes' : 'flag.no')
                  : (options?.(word) ?? word)}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden />
        </span>
      )}
      <span id={`${id}-hint`} className={`hint ${isWrong ? 'bad' : ''}`}>
        {hintOf(form, say)}
      </span>
    </div>
  );
}

function choicesOf(shape: ValueShape | undefined): readonly string[] | undefined {
  if (shape?.kind === 'choice') return shape.words;
  if (shape?.kind === 'flag') return ['0', '1'];
  // A mode: few whole numbers, each with a meaning.
  if (shape?.kind === 'integer' && shape.max - shape.min < 8)
    return Array.from({ length: shape.max - shape.min + 1 }, (_, at) => String(shape.min + at));
  return undefined;
}

/** An older spelling, or a wrong word, is still shown. */
function withCurrent(words: readonly string[], value: string): readonly string[] {
  return value === '' || words.includes(value) ? words : [value, ...words];
}

function inputOf(shape: ValueShape | undefined) {
  switch (shape?.kind) {
    case 'integer':
      return { type: 'number', min: shape.min, max: shape.max, step: 1 };
    case 'decimal':
      return { type: 'number', min: shape.min, max: shape.max, step: 'any' };
    case 'encoded':
      return { type: 'text', placeholder: { url: 'https://', colour: '#ffffff', text: '' }[shape.of] };
    case 'flag':
    case 'choice':
    case undefined:
      return { type: 'text' };
  }
}

function hintOf({ shape, form }: AnyForm, say: Say<'commands'>): string {
  switch (shape?.kind) {
    case 'integer':
    case 'decimal':
      return choicesOf(shape) === undefined ? say('hint.range', { min: shape.min, max: shape.max }) : '';
    case 'encoded':
      return say(`hint.${shape.of}`);
    case 'flag':
    case 'choice':
      return '';
    case undefined:
      return form;
  }
}

function shownOf(shape: ValueShape | undefined, value: string): string {
  if (shape?.kind !== 'encoded' || value === '') return value;
  try {
    return decodeBase64Text(value);
  } catch {
    // Not Base64 yet: shown as it was written, and marked.
    return value;
  }
}

function writtenOf(shape: ValueShape | undefined, text: string): string {
  if (shape?.kind === 'encoded') return text === '' ? '' : encodeBase64Text(text);
  // These two would end the value.
  return text.replaceAll(/[/|]/g, '');
}
