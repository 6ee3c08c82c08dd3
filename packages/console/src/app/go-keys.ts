/** `G` and then a letter goes to a place. */
import { useRef } from 'react';
import { type Shortcuts, useShortcuts } from '../lib/shortcuts.ts';
import { navigation } from './navigation.ts';
import { useExisting } from './use-existing.ts';
import { useGo } from './use-go.ts';

const WITHIN_MS = 1_500;

export function useGoKeys(): void {
  const go = useGo();
  const shows = useExisting();
  const pressed = useRef(0);
  const places = navigation.flatMap(({ entries }) => entries).filter(shows);
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    g: () => {
      pressed.current = Date.now();
    },
  };
  const isAfterG = () => Date.now() - pressed.current < WITHIN_MS;
  for (const { to, letter } of places) {
    if (letter === undefined) continue;
    keys[letter.toLowerCase()] = () => {
      if (!isAfterG()) return;
      pressed.current = 0;
      go(to);
    };
  }
  useShortcuts(keys satisfies Shortcuts);
}
