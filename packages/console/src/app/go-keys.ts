/** `G` and then a letter goes to a place. */
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { type Shortcuts, useShortcuts } from '../lib/shortcuts.ts';
import { navigation } from './navigation.ts';
import { useExisting } from './use-existing.ts';

const WITHIN_MS = 1_500;

export function useGoKeys(): void {
  const router = useRouter();
  const shows = useExisting();
  const pressed = useRef(0);
  const places = navigation.flatMap(({ entries }) => entries).filter(shows);
  const go: Record<string, (event: KeyboardEvent) => void> = {
    g: () => {
      pressed.current = Date.now();
    },
  };
  const isAfterG = () => Date.now() - pressed.current < WITHIN_MS;
  for (const { to, letter } of places) {
    if (letter === undefined) continue;
    go[letter.toLowerCase()] = () => {
      if (!isAfterG()) return;
      pressed.current = 0;
      router.history.push(to);
    };
  }
  useShortcuts(go satisfies Shortcuts);
}
