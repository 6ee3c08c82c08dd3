// biome-ignore-all lint/a11y/useSemanticElements: a rule that is moved is no hr
/** The edge of the panel, which is dragged, or moved by arrows, to make it wider. */
import { type PointerEvent, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import styles from './detail.module.css';

const NAME = 'millpond.panel';
const [LEAST, MOST, USUAL] = [340, 640, 396];
const STEP = 16;

/** The width that was chosen last in this browser, and the edge that changes it. */
export function usePanelWidth() {
  const [width, setWidth] = useState(kept);
  const set = (next: number) => {
    const bounded = Math.round(Math.min(MOST, Math.max(LEAST, next)));
    setWidth(bounded);
    try {
      localStorage.setItem(NAME, String(bounded));
    } catch {
      // Storage may be forbidden: the width then lasts as long as the panel.
    }
  };
  return { width, edge: <Edge width={width} set={set} /> };
}

function Edge({ width, set }: { readonly width: number; readonly set: (width: number) => void }) {
  const say = useTranslations('objects');
  const [from, setFrom] = useState<{ x: number; width: number }>();
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom({ x: event.clientX, width });
  };
  return (
    <div
      className={`${styles.edge} desktop-only`}
      role="separator"
      aria-orientation="vertical"
      aria-label={say('panelWidth')}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onPointerDown={drag}
      onPointerMove={(event) => from !== undefined && set(from.width + from.x - event.clientX)}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
      onDoubleClick={() => set(USUAL)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        set(width + by);
      }}
    />
  );
}

function kept(): number {
  try {
    const width = Number(localStorage.getItem(NAME));
    return width >= LEAST && width <= MOST ? width : USUAL;
  } catch {
    return USUAL;
  }
}
