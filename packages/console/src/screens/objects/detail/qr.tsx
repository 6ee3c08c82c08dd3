/** A text as a picture that a phone reads. */
import { useQuery } from '@tanstack/react-query';
import styles from './detail.module.css';

export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => (await import('uqr')).encode(text, { border: 2 }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return null;
  const path = data.data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg className={styles.qrCode} viewBox={`0 0 ${data.size} ${data.size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  );
}
