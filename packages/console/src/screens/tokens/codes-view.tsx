/** The policy, and the same token made on one's own server in five languages. */
import { Tabs } from '@base-ui/react/tabs';
import type { PolicyFields } from '@millpond/protocol';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import { codeIn, LANGUAGES } from './codes.ts';

const NAMES = { typescript: 'TypeScript', python: 'Python', go: 'Go', curl: 'curl', cli: 'CLI' } as const;

export function CodesView({
  policy,
  life,
}: {
  readonly policy: PolicyFields & { readonly scope: string };
  readonly life: number;
}) {
  const say = useTranslations('tokens');
  const { hosts, dialect } = useSession();
  const up = hosts.up ?? '$UP';
  const url = hosts.api ?? hosts.uc ?? up;
  const texts = [
    { name: 'policy', words: say('policy'), code: JSON.stringify(policy, null, 2) },
    ...LANGUAGES.map((language) => ({
      name: language,
      words: NAMES[language],
      code: codeIn(language, { policy, life, up, url, dialect }),
    })),
  ];
  return (
    <>
      <div className="section-head">
        <h2>{say('ownServer')}</h2>
      </div>
      <Tabs.Root defaultValue="policy" className="code">
        <div className="code-head">
          <Tabs.List className="code-tabs" aria-label={say('ownServer')}>
            {texts.map(({ name, words }) => (
              <Tabs.Tab key={name} value={name}>
                {words}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        {texts.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} className="same-as">
            <Copy text={code} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
            <pre tabIndex={0}>{code}</pre>
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </>
  );
}
