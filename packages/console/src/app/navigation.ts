/** What the console has, in the order of its work: each entry's address, its words and its letter after G. */
import {
  Boxes,
  Cctv,
  Clapperboard,
  CloudDownload,
  Database,
  Gauge,
  GitBranch,
  HardDrive,
  KeyRound,
  Layers,
  type LucideIcon,
  RadioTower,
  ScanSearch,
  ScrollText,
  Send,
  Settings2,
  Ticket,
  Trash2,
  Users,
  Workflow,
} from 'lucide-react';
import type { Say } from '../lib/words.ts';

export interface Entry {
  readonly to: string;
  readonly word: Parameters<Say<'common'>>[0];
  readonly icon: LucideIcon;
  readonly letter?: string;
  /** Shown to operators only. */
  readonly operator?: true;
}

export interface Group {
  readonly word?: Parameters<Say<'common'>>[0];
  readonly entries: readonly Entry[];
}

export const navigation: readonly Group[] = [
  { entries: [{ to: '/', word: 'nav.overview', icon: Gauge, letter: 'O' }] },
  {
    word: 'nav.store',
    entries: [
      { to: '/buckets', word: 'nav.buckets', icon: Database, letter: 'B' },
      { to: '/upload-tokens', word: 'nav.tokens', icon: Ticket },
      { to: '/fetches', word: 'nav.fetches', icon: CloudDownload },
      { to: '/trash', word: 'nav.trash', icon: Trash2 },
      { to: '/bulk', word: 'nav.bulk', icon: Layers },
    ],
  },
  {
    word: 'nav.process',
    entries: [
      { to: '/tasks', word: 'nav.tasks', icon: Clapperboard, letter: 'T' },
      { to: '/pipelines', word: 'nav.pipelines', icon: GitBranch },
      { to: '/templates', word: 'nav.templates', icon: Workflow },
      { to: '/commands', word: 'nav.commands', icon: Boxes },
    ],
  },
  { word: 'nav.deliver', entries: [{ to: '/deliveries', word: 'nav.deliveries', icon: Send, letter: 'D' }] },
  {
    word: 'nav.live',
    entries: [
      { to: '/live', word: 'nav.streams', icon: RadioTower, letter: 'L' },
      { to: '/devices', word: 'nav.devices', icon: Cctv },
    ],
  },
  {
    word: 'nav.access',
    entries: [
      { to: '/keys', word: 'nav.keys', icon: KeyRound, letter: 'K' },
      { to: '/accounts', word: 'nav.accounts', icon: Users },
      { to: '/audit', word: 'nav.audit', icon: ScrollText },
    ],
  },
  {
    word: 'nav.operate',
    entries: [
      { to: '/engines', word: 'nav.engines', icon: HardDrive, operator: true },
      { to: '/requests', word: 'nav.requests', icon: ScanSearch },
      { to: '/settings', word: 'nav.settings', icon: Settings2 },
    ],
  },
];
