/** Fields of forms: a label, the field, what it is for, and what is wrong with it. */

import { ChevronDown } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

export interface Around {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong; it takes the place of the hint. */
  readonly fault?: string | undefined;
  readonly optional?: string | undefined;
}

export function Frame({
  label,
  hint,
  fault,
  optional,
  id,
  children,
}: Around & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
        {optional !== undefined && <span className="optional">{optional}</span>}
      </label>
      {children}
      {(fault ?? hint) !== undefined && (
        <span className={`hint ${fault === undefined ? '' : 'bad'}`} id={`${id}-hint`}>
          {fault ?? hint}
        </span>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  fault,
  optional,
  ...rest
}: Around & Omit<InputHTMLAttributes<HTMLInputElement>, 'id'>) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} fault={fault} optional={optional} id={id}>
      <input
        id={id}
        className="input large"
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
        {...rest}
      />
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  fault,
  optional,
  options,
  ...rest
}: Around &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> & {
    readonly options: readonly { readonly value: string; readonly words: string }[];
  }) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} fault={fault} optional={optional} id={id}>
      <span className="select">
        <select id={id} className="input large" aria-describedby={`${id}-hint`} {...rest}>
          {options.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" aria-hidden />
      </span>
    </Frame>
  );
}
