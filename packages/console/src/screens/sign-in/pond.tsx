import styles from './sign-in.module.css';

/** The picture beside the sign-in: a sun over water, always the same. */
const HORIZON = 420;
const CENTRE = 452;

interface Ripple {
  readonly d: string;
  readonly width: number;
  readonly opacity: number;
}

/** Three broken lines a row under the sun, and a few fainter ones beside it; wider and paler towards the reader. */
function ripples(): Ripple[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const all: Ripple[] = [];
  for (let y = HORIZON + 9; y < 900; y += 7 + (y - HORIZON) / 55) {
    const near = (y - HORIZON) / 480;
    for (let line = 0; line < 3; line++) {
      const length = 90 + 110 * next();
      const x = CENTRE - 150 + (300 - length) * next();
      all.push({
        d: `M${x.toFixed(1)} ${y.toFixed(1)}h${length.toFixed(1)}`,
        width: 1.1 + near,
        opacity: 0.62 - 0.5 * near,
      });
      const aside = 860 * next();
      all.push({
        d: `M${aside.toFixed(0)} ${(y + 5 * next()).toFixed(1)}h${(20 + 80 * next()).toFixed(0)}`,
        width: 0.8 + near / 2,
        opacity: 0.14 - 0.1 * near,
      });
    }
  }
  return all;
}

const RIPPLES = ripples();

export function Pond() {
  return (
    <svg className={styles.art} viewBox="0 0 860 900" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <path d="M284 420a168 168 0 0 1 336 0z" className={styles.sun} />
      <path d="M0 420.5H860" className={styles.horizon} />
      <g className={styles.lines}>
        {RIPPLES.map(({ d, width, opacity }) => (
          <path key={d} d={d} strokeWidth={width} opacity={opacity} />
        ))}
      </g>
    </svg>
  );
}
