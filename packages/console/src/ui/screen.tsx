/** The frame of a screen: its bar with title, facts and acts, and its content, to which the skip link leads. */

import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOpenPalette } from '../app/palette/open.ts';
import { useTranslations } from '../lib/words.ts';

export function Screen({
  title,
  crumbs,
  facts,
  acts,
  children,
  className = '',
}: {
  readonly title: string;
  /** What stands before the title: links to what it is part of. */
  readonly crumbs?: ReactNode;
  readonly facts?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
  /** `s-<area>`: the root of the area's own styles. */
  readonly className?: string | undefined;
}) {
  return (
    <>
      <title>{`${title} · Millpond`}</title>
      <header className="top-bar">
        <div className="crumbs">
          {crumbs}
          <h1 className="truncate">{title}</h1>
          {facts}
        </div>
        {acts}
        <Find />
      </header>
      <main className={`page ${className}`} id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The button that opens the palette, for those who don't know its key. */
function Find() {
  const say = useTranslations('common');
  const open = useOpenPalette();
  return (
    <button type="button" className="find" onClick={open}>
      <Search className="icon icon-small" aria-hidden />
      <span>{say('palette.title')}</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
