/** The browser of a bucket: its folders and objects, one of them open beside the list. */
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useRef } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { UploadButton } from '../../uploads/upload-button.tsx';
import { BucketFrame } from '../bucket-frame/bucket-frame.tsx';
import { prefixOfPath } from './address.ts';
import { ClassFilter } from './class-filter.tsx';
import type { Column } from './columns.ts';
import { GoTo } from './go-to.tsx';
import { useListCommands } from './list-commands.tsx';
import { NothingHere } from './nothing-here.tsx';
import { ObjectGrid } from './object-grid.tsx';
import styles from './objects.module.css';
import { ordered } from './order.ts';
import { PathBar } from './path-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StatusLine } from './status-line.tsx';
import { useBrowsing } from './use-browsing.ts';
import { useListing } from './use-listing.ts';
import { useScrollRestore } from './use-return.ts';

const Detail = lazy(() =>
  import('./detail/detail.tsx').then(({ Detail: default_ }) => ({ default: default_ })),
);

/** So many rows before the end of what is known, more are read. */
const AHEAD = 300;

function Objects() {
  const say = useTranslations('objects');
  const { bucket, _splat = '' } = ObjectsScreen.useParams();
  const search = ObjectsScreen.useSearch();
  const navigate = ObjectsScreen.useNavigate();
  const { account } = useSession();
  const prefix = prefixOfPath(_splat);
  const { key, begins = '', start = '', class: type, sort, down: isDown = false } = search;
  const { listing, state } = useListing({ bucket, prefix, begins, from: start, type });
  const field = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows change with the version
  const order = useMemo(() => ordered(listing, sort, isDown), [listing, state.version, sort, isDown]);
  const browsing = useBrowsing({ bucket, prefix, openName: key, order, rows: state.count, field });
  const onBegins = useCallback(
    (text: string) =>
      void navigate({
        to: '.',
        replace: true,
        search: (was) => ({ ...was, key: undefined, begins: text === '' ? undefined : text }),
      }),
    [navigate],
  );
  const startAt = (name: string) =>
    void navigate({
      to: '.',
      search: (was) => ({ ...was, key: undefined, start: name === '' ? undefined : name }),
    });
  const onView = useScrollRestore({
    place: JSON.stringify([bucket, prefix, begins, start, type]),
    opened: key,
    listing,
    state,
    startAt,
    nameAt: (index) => order.rowAt(index)?.key.slice(prefix.length),
    show: (index) => browsing.moves.current?.(index, 'top'),
  });
  const { button, commands } = useListCommands({ bucket, prefix, begins, start });
  const sortBy = (column: Column) =>
    void navigate({
      to: '.',
      replace: true,
      search: ({ down, ...was }) =>
        (was.sort ?? 'name') === column && down !== true
          ? { ...was, sort: column, down: true }
          : { ...was, sort: column },
    });
  const hasSelection = browsing.selection.isAll || browsing.selection.chosen.size > 0;
  return (
    <BucketFrame bucket={bucket} className={styles.screen} scrolls={false}>
      <div className="panes">
        <section ref={place} className={`pane ${styles.list}`} aria-label={say('title')}>
          <PathBar bucket={bucket} prefix={prefix} begins={begins} onBegins={onBegins} field={field}>
            <ClassFilter
              type={type}
              choose={(chosen) =>
                void navigate({
                  to: '.',
                  replace: true,
                  search: (was) => ({ ...was, key: undefined, class: chosen }),
                })
              }
            />
            <UploadButton bucket={bucket} prefix={prefix} place={place} />
          </PathBar>
          {hasSelection && (
            <SelectionBar
              bucket={bucket}
              prefix={prefix}
              begins={begins}
              state={state}
              selection={browsing.selection}
              isPart={start !== '' || type !== undefined}
              set={browsing.select}
            />
          )}
          {state.error !== undefined && (
            <Failure
              error={state.error}
              what={say('failed')}
              again={() => void listing?.readTo(state.count + 1)}
            />
          )}
          {state.isWhole && state.count === 0 ? (
            <NothingHere
              bucket={bucket}
              prefix={prefix}
              begins={begins}
              isPart={start !== '' || type !== undefined}
            />
          ) : (
            <ObjectGrid
              bucket={bucket}
              prefix={prefix}
              sort={sort}
              isDown={isDown}
              search={{ account, ...search }}
              rows={state.count}
              isWhole={state.isWhole}
              rowAt={order.rowAt}
              current={browsing.current}
              opened={key === undefined ? undefined : prefix + key}
              selection={browsing.selection}
              acts={browsing.acts}
              sortBy={order.canSort ? sortBy : undefined}
              onKey={browsing.onKey}
              onView={(first, last) => {
                browsing.onView(first);
                onView(first);
                if (last + AHEAD > state.count) void listing?.readTo(last + AHEAD);
              }}
              moves={browsing.moves}
              element={browsing.element}
            />
          )}
          {commands}
          <StatusLine listing={listing} state={state}>
            <GoTo start={start} go={startAt} />
            {button}
          </StatusLine>
        </section>
        {key !== undefined && (
          <Suspense>
            <Detail key={prefix + key} bucket={bucket} objectKey={prefix + key} close={browsing.close} />
          </Suspense>
        )}
      </div>
    </BucketFrame>
  );
}

export const ObjectsScreen = createLazyRoute('/shell/buckets/$bucket/objects/$')({ component: Objects });
