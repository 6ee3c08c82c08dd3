import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { CLASSES, type StorageClass } from '../../ui/depth.tsx';
import { COLUMNS, type Column } from './columns.ts';

export interface ObjectsSearch {
  /** The object that is open: its name within the folder. */
  readonly key?: string | undefined;
  /** Only names that begin with it. */
  readonly begins?: string | undefined;
  /** The list begins at this name, or where it would be. */
  readonly start?: string | undefined;
  /** Only objects of this storage class. */
  readonly class?: StorageClass | undefined;
  readonly sort?: Column | undefined;
  readonly down?: true | undefined;
}

export function objectsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/objects/$',
      validateSearch: ({
        key,
        begins,
        start,
        sort,
        down,
        ...search
      }: Record<string, unknown>): ObjectsSearch => {
        const column = COLUMNS.find((each) => each === sort);
        const type = CLASSES.find((each) => each === search.class);
        return {
          ...textOf('key', key),
          ...(begins === '' ? {} : textOf('begins', begins)),
          ...(start === '' ? {} : textOf('start', start)),
          ...(type === undefined ? {} : { class: type }),
          ...(column === undefined ? {} : { sort: column }),
          ...(down === true ? { down } : {}),
        };
      },
    }).lazy(() =>
      withWords(import('./objects.tsx'), 'bucket-frame', 'objects', 'uploads').then(
        ({ ObjectsScreen }) => ObjectsScreen,
      ),
    ),
  ] as const;
}

/** A name of digits only arrives as a number. */
function textOf<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (isText ? { [name]: String(value) } : {}) as { readonly [name in Name]?: string };
}
