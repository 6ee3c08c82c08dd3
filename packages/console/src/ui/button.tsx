/** Buttons. One primary per pane; what destroys is red; what waits says so and can't be pressed twice. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'solid' | 'ghost' | 'link' | undefined;
  readonly size?: 'large' | undefined;
  readonly icon?: ReactNode;
  /** The letter that does the same. */
  readonly letter?: string | undefined;
  readonly waits?: boolean | undefined;
}

export function Button({ kind, size, icon, letter, waits, children, className = '', ...rest }: ButtonProps) {
  const isIcon = children === undefined && icon !== undefined;
  const looks =
    kind === 'link'
      ? 'link'
      : ['button', lookOf(kind), size, isIcon ? 'icon-only' : ''].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      className={`${looks} ${className}`}
      {...rest}
      disabled={rest.disabled || waits}
      aria-busy={waits}
    >
      {icon}
      {children}
      {letter !== undefined && <span className="shortcut">{letter}</span>}
    </button>
  );
}

function lookOf(kind: ButtonProps['kind']): string {
  return kind === undefined ? '' : kind === 'solid' ? 'danger solid' : kind;
}
