/** Where another account is shown: the same part of the console, not the things of the account that was left. */
import { navigation } from '../navigation.ts';

export function placeOf(pathname: string): string {
  const [, first = ''] = pathname.split('/');
  const part = navigation.flatMap(({ entries }) => entries).find(({ to }) => to === `/${first}`);
  return part?.to ?? '/';
}
