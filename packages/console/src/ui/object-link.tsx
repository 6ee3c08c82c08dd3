/** Leads to an object in the list of its folder. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function ObjectLink({
  bucket,
  name,
  children,
  className,
}: {
  readonly bucket: string;
  /** Its key. */
  readonly name: string;
  readonly children?: ReactNode;
  readonly className?: string;
}) {
  return (
    <Link
      to={'/buckets/$bucket/objects/$' as '/'}
      params={{ bucket, _splat: name.slice(0, name.lastIndexOf('/') + 1) } as never}
      search={(was) => ({ account: was.account, key: name }) as never}
      className={className}
      title={`${bucket}:${name}`}
    >
      {children ?? name}
    </Link>
  );
}
