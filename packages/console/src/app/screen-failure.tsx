/** A screen that could not be shown at all. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from '../ui/failure.tsx';

export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="screen-failure">
      <Failure error={error} again={again} />
    </div>
  );
}
