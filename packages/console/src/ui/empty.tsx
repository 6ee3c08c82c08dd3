/** Nothing to show, and what to do about it. */
import type { ReactNode } from 'react';

export function Empty({
  title,
  words,
  icon,
  children,
}: {
  readonly title: string;
  readonly words?: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      {icon}
      <h2>{title}</h2>
      {words !== undefined && <p className="soft">{words}</p>}
      {children !== undefined && <div className="row">{children}</div>}
    </div>
  );
}
