/** The screens of one bucket. A tab is shown as soon as its address exists. */
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslations } from '../../lib/words.ts';

const TABS = [
  'objects',
  'access',
  'cors',
  'lifecycle',
  'domains',
  'styles',
  'quota',
  'mirror',
  'events',
  'triggers',
  'trash',
] as const;

export function BucketTabs({ bucket }: { readonly bucket: string }) {
  const say = useTranslations('bucket-frame');
  const { routesByPath } = useRouter();
  const paths = Object.keys(routesByPath);
  const shown = TABS.filter((tab) => paths.some((path) => `${path}/`.startsWith(`/buckets/$bucket/${tab}/`)));
  return (
    <nav className="tabs" aria-label={say('tabs', { bucket })} ref={showCurrent}>
      {shown.map((tab) => (
        <Link
          key={tab}
          to={`/buckets/$bucket/${tab}` as '/'}
          params={{ bucket } as never}
          search={({ account }) => ({ account })}
          activeOptions={{ includeSearch: false }}
        >
          {say(`tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}

/** Phones have room for half of them. */
function showCurrent(tabs: HTMLElement | null): void {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
