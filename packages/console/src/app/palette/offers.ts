/** What the palette offers: places, buckets, what a pasted id names, and what the open screen can do. */
import { useQuery } from '@tanstack/react-query';
import { Braces, Database, type LucideIcon } from 'lucide-react';
import { useTranslations } from '../../lib/words.ts';
import { navigation } from '../navigation.ts';
import { useSession } from '../session-context.tsx';
import { useExisting } from '../use-existing.ts';
import { pastedId } from './pasted-id.ts';
import { useActions } from './screen-acts.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly group: 'ids' | 'go' | 'do';
  readonly words: string;
  readonly beside?: string | undefined;
  readonly icon: LucideIcon;
  readonly letter?: string | undefined;
  readonly to?: string;
  readonly do?: () => void;
}

const MOST_BUCKETS = 8;

export function useOffers(asked: string, isOpen: boolean): PaletteItem[] {
  const say = useTranslations('common');
  const { client, account } = useSession();
  const shows = useExisting();
  const acts = useActions();
  const { data: buckets = [] } = useQuery({
    queryKey: ['palette', account, 'buckets'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    enabled: isOpen,
    staleTime: 30_000,
  });
  const wanted = asked.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const found = pastedId(asked).map(
    ({ kind, id, to }): PaletteItem => ({
      id: to,
      group: 'ids',
      words: say(`palette.${kind}`, { id }),
      icon: Braces,
      to,
    }),
  );
  const places = navigation
    .flatMap(({ entries }) => entries)
    .filter(shows)
    .map(
      ({ to, word, icon, letter }): PaletteItem => ({
        id: to,
        group: 'go',
        words: say(word),
        icon,
        letter: letter && `G ${letter}`,
        to,
      }),
    );
  const own = buckets
    .filter((name) => wanted !== '' && has(name))
    .slice(0, MOST_BUCKETS)
    .map(
      (name): PaletteItem => ({
        id: `bucket ${name}`,
        group: 'go',
        words: name,
        beside: say('nav.buckets'),
        icon: Database,
        to: `/buckets/${encodeURIComponent(name)}/objects/`,
      }),
    );
  const doing = acts.map(
    ({ words, icon, letter, do: act }): PaletteItem => ({
      id: `do ${words}`,
      group: 'do',
      words,
      icon,
      letter,
      do: act,
    }),
  );
  return [
    ...found,
    ...own,
    ...places.filter(({ words }) => has(words)),
    ...doing.filter(({ words }) => has(words)),
  ];
}
