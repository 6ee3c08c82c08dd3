/** Leads to an object in the list of its folder. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { objectAddress } from '../screens/objects/address.ts';

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
  readonly className?: string | undefined;
}) {
  const { search, ...place } = objectAddress(bucket, name);
  return (
    <Link
      {...place}
      search={(was) => ({ account: was.account, ...search })}
      className={className}
      title={`${bucket}:${name}`}
    >
      {children ?? name}
    </Link>
  );
}
