/** Keys of the console. Single letters are never taken in fields, and can be switched off. */
import { useEffect, useRef } from 'react';
import { preferences } from './preferences.ts';

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** By the key's name: `u`, `/`, `Escape`, `mod+k` (Ctrl, or ⌘ on a Mac). */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isModified = event.ctrlKey || event.metaKey;
      const name =
        (isModified ? 'mod+' : '') + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
      const act = latest.current[name];
      if (act === undefined) return;
      const isLetter = !isModified && event.key.length === 1;
      if (isLetter && (!preferences().letters || event.altKey || isWriting(event.target))) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
