import { expect, test } from 'vitest';
import { parseExposition } from './prometheus.ts';

const GOOD = `# HELP a_total what\n# TYPE a_total counter\na_total{x="q\\"\\\\\\n",y=""} 3\na_total 1.5e-7\n
# HELP b_seconds times
# TYPE b_seconds histogram
b_seconds_bucket{le="1"} 1
b_seconds_bucket{le="+Inf"} 2
b_seconds_sum 3
b_seconds_count 2
`;

test('what is well formed is read', () => {
  const metrics = parseExposition(GOOD);
  expect(metrics.get('a_total')).toEqual({
    name: 'a_total',
    type: 'counter',
    help: 'what',
    samples: [
      { name: 'a_total', labels: { x: 'q"\\\n', y: '' }, value: 3 },
      { name: 'a_total', labels: {}, value: 1.5e-7 },
    ],
  });
  expect(metrics.get('b_seconds')?.samples).toHaveLength(4);
});

test.each([
  ['no end', 'a 1'],
  ['no type', 'a 1\n'],
  ['no help', '# TYPE a gauge\na 1\n'],
  ['another type', '# HELP a b\n# TYPE a number\n'],
  ['twice', '# HELP a b\n# TYPE a gauge\na 1\na 2\n'],
  ['the metric twice', '# HELP a b\n# TYPE a gauge\n# HELP a b\n# TYPE a gauge\n'],
  ['another name', '# HELP a b\n# TYPE a gauge\nab 1\n'],
  ['a label without quotes', '# HELP a b\n# TYPE a gauge\na{b=c} 1\n'],
  ['a label twice', '# HELP a b\n# TYPE a gauge\na{b="c",b="d"} 1\n'],
  ['no number', '# HELP a b\n# TYPE a gauge\na undefined\n'],
  ['a counter below 0', '# HELP a b\n# TYPE a counter\na -1\n'],
  ['a bucket more', GOOD.replace('le="1"} 1', 'le="1"} 3')],
  ['no last bucket', GOOD.replace('b_seconds_bucket{le="+Inf"} 2\n', '')],
  ['no sum', GOOD.replace('b_seconds_sum 3\n', '')],
])('refused: %s', (_, text) => {
  expect(() => parseExposition(text)).toThrow();
});
