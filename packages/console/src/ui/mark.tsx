/** A state as a colour and a shape: never by colour alone. */
export type MarkState = 'ok' | 'warn' | 'bad' | 'off' | 'busy' | 'wait';

export function StatusMark({
  state,
  label,
}: {
  readonly state: MarkState;
  readonly label?: string | undefined;
}) {
  const looks = { className: `status-mark ${state}`, viewBox: '0 0 10 10' };
  if (label === undefined)
    return (
      <svg {...looks} aria-hidden="true">
        {shapeOf(state)}
      </svg>
    );
  return (
    <svg {...looks} role="img" aria-label={label}>
      {shapeOf(state)}
    </svg>
  );
}

function shapeOf(state: MarkState) {
  switch (state) {
    case 'ok':
      return <circle cx="5" cy="5" r="3.6" fill="currentColor" />;
    case 'warn':
      return <path d="M5 .8 9.6 9H.4z" fill="currentColor" />;
    case 'bad':
      return <path d="M5 .2 9.8 5 5 9.8.2 5z" fill="currentColor" />;
    case 'off':
      return <path d="M1.5 5h7" stroke="currentColor" strokeWidth="1.6" />;
    case 'busy':
      return (
        <>
          <circle cx="5" cy="5" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.2" />
          <path d="M5 1.1a3.9 3.9 0 0 1 0 7.8z" fill="currentColor" />
        </>
      );
    case 'wait':
      return (
        <circle
          cx="5"
          cy="5"
          r="3.6"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.3"
          strokeDasharray="2 1.77"
        />
      );
  }
}
