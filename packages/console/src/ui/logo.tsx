export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden>
      <path d="M2.6 9.3a7.4 7.4 0 0 1 14.8 0z" fill="currentColor" />
      <path
        d="M2.9 11.9h14.2M4.9 14.5h10.2M7.6 17.1h4.8"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
