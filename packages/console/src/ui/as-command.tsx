/** The same act as a call, as a command and in a program. */
import { Tabs } from '@base-ui/react/tabs';
import { useWords } from '../lib/words.ts';
import { Copy } from './copy.tsx';

/** Several lines each. `$TOKEN` is an access token, see the guide on signing. */
export interface Commands {
  readonly curl: string;
  readonly cli: string;
  readonly sdk: string;
}

const NAMES = { curl: 'curl', cli: 'CLI', sdk: 'SDK' } as const;
type Name = keyof Commands;

export function AsCommand({
  commands,
  first = 'cli',
}: {
  readonly commands: Commands;
  readonly first?: Name;
}) {
  const say = useWords('common');
  return (
    <Tabs.Root defaultValue={first} className="code">
      <div className="code-h">
        <Tabs.List className="tl2" aria-label={say('asCommand')}>
          {(Object.keys(NAMES) as Name[]).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {NAMES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      {(Object.keys(NAMES) as Name[]).map((name) => (
        <Tabs.Panel key={name} value={name} className="same-as">
          <Copy text={commands[name]} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
          <pre tabIndex={0}>{commands[name]}</pre>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** A word for a shell, quoted only if it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
