/** The same act as a call, as a command and in a program. */
import { Tabs } from '@base-ui/react/tabs';
import { useTranslations } from '../lib/words.ts';
import { Copy } from './copy.tsx';

/** Several lines each. `$TOKEN` is an access token, see the guide on signing. */
export interface Commands {
  readonly curl: string;
  /** Absent: the command line has nothing for it. */
  readonly cli?: string | undefined;
  readonly sdk: string;
}

const NAMES = { curl: 'curl', cli: 'CLI', sdk: 'SDK' } as const;
type Name = keyof Commands;

export function CommandTabs({
  commands,
  first = 'cli',
}: {
  readonly commands: Commands;
  readonly first?: Name;
}) {
  const say = useTranslations('common');
  const shown = (Object.keys(NAMES) as Name[]).flatMap((name) => {
    const text = commands[name];
    return text === undefined ? [] : [{ name, text }];
  });
  return (
    <Tabs.Root defaultValue={commands[first] === undefined ? 'curl' : first} className="code">
      <div className="code-head">
        <Tabs.List className="code-tabs" aria-label={say('asCommand')}>
          {shown.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {NAMES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      {shown.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name} className="same-as">
          <Copy text={text} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
          <pre tabIndex={0}>{text}</pre>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** A word for a shell, quoted only if it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
