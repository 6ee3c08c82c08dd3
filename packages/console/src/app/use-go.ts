/** Goes to an address of the console that is known as text; an operator stays with the account that the screens are about. */
import { useRouter } from '@tanstack/react-router';
import { useSession } from './session-context.tsx';

export function useGo(): (to: string, elsewhere?: boolean) => void {
  const { history } = useRouter();
  const { account } = useSession();
  return (to, elsewhere = false) => {
    const address = account === undefined ? to : `${to}?account=${account}`;
    if (elsewhere) open(address, '_blank', 'noopener');
    else history.push(address);
  };
}
