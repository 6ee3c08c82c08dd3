/** Acts that the open screen offers, to its letters and to the palette alike. */
import type { LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';

export interface ScreenAction {
  readonly words: string;
  readonly icon: LucideIcon;
  readonly letter?: string | undefined;
  readonly do: () => void;
}

interface Acts {
  readonly shown: readonly ScreenAction[];
  readonly show: (acts: readonly ScreenAction[]) => () => void;
}

const Context = createContext<Acts>({ shown: [], show: () => () => undefined });

export function ScreenActions({ children }: { readonly children: ReactNode }) {
  const [sets, setSets] = useState<readonly (readonly ScreenAction[])[]>([]);
  const acts = useMemo<Acts>(
    () => ({
      shown: sets.flat(),
      show(more) {
        setSets((was) => [...was, more]);
        return () => setSets((was) => was.filter((each) => each !== more));
      },
    }),
    [sets],
  );
  return <Context value={acts}>{children}</Context>;
}

export function useActions(): readonly ScreenAction[] {
  return use(Context).shown;
}

/** Offers acts while the screen is open. Their letters work, too. */
export function useScreenActions(acts: readonly ScreenAction[]): void {
  const { show } = use(Context);
  useShortcuts(
    Object.fromEntries(
      acts.flatMap(({ letter, do: act }) => (letter === undefined ? [] : [[letter.toLowerCase(), act]])),
    ),
  );
  const names = acts.map(({ words }) => words).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same acts in new objects are the same acts
  useEffect(() => show(acts), [names]);
}
