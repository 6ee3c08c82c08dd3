/** A field of several lines: text, or a list with one entry a line. */
import { type TextareaHTMLAttributes, useId } from 'react';
import { type Around, Frame } from './field.tsx';

export function LinesField({
  label,
  hint,
  fault,
  optional,
  ...rest
}: Around & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'>) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} fault={fault} optional={optional} id={id}>
      <textarea
        id={id}
        rows={2}
        className="input mono"
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
        {...rest}
      />
    </Frame>
  );
}

/** Entries separated by lines or commas. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
