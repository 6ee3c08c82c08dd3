/** Watches an element that scrolls over rows, and says which of them to draw. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Measures, scrolledTo, type View, viewAt } from './scrolled.ts';

/** After it stood still for so long, the scroll bar is set to where the list really is. */
const STILL_MS = 160;

export interface Scrolled {
  readonly view: View;
  readonly measures: Measures;
  /** Moves no further than it must, or so that the row is the first. */
  readonly show: (index: number, where?: 'near' | 'top') => void;
}

export function useScrolled(
  element: RefObject<HTMLElement | null>,
  { rows, rowHeight, head }: { readonly rows: number; readonly rowHeight: number; readonly head: number },
): Scrolled {
  const [height, setHeight] = useState(600);
  const [view, setView] = useState<View>({ top: 0, scrollTop: 0 });
  const measures = { rows, rowHeight, height };
  const latest = useRef({ view, measures });
  latest.current = { view, measures };

  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => setHeight(Math.max(1, current.clientHeight - head));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, head]);

  const moveTo = useCallback(
    (top: number) => {
      const next = viewAt(top, latest.current.measures);
      latest.current.view = next;
      setView(next);
      if (element.current !== null) element.current.scrollTop = next.scrollTop;
    },
    [element],
  );

  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    let still: ReturnType<typeof setTimeout> | undefined;
    const scrolled = () => {
      const next = scrolledTo(latest.current.view, current.scrollTop, latest.current.measures);
      latest.current.view = next;
      setView(next);
      clearTimeout(still);
      still = setTimeout(() => {
        const settled = viewAt(latest.current.view.top, latest.current.measures);
        if (Math.abs(settled.scrollTop - current.scrollTop) >= 1) moveTo(latest.current.view.top);
      }, STILL_MS);
    };
    current.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      clearTimeout(still);
      current.removeEventListener('scroll', scrolled);
    };
  }, [element, moveTo]);

  const show = useCallback(
    (index: number, where: 'near' | 'top' = 'near') => {
      const { view: now, measures: at } = latest.current;
      const top = index * at.rowHeight;
      if (top < now.top || where === 'top') moveTo(top);
      else if (top + at.rowHeight > now.top + at.height) moveTo(top + at.rowHeight - at.height);
    },
    [moveTo],
  );
  return { view, measures, show };
}
