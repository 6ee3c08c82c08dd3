/** A diagram's text as a picture: Graphviz lays it out, in one style for all of them. The same text always gives the same bytes. */
import { instance } from '@viz-js/viz';

const FONT = { fontname: 'Helvetica,Arial,sans-serif', fontsize: 12, fontcolor: '#1d2b2e' };

export async function draw(dot: string): Promise<string> {
  const graphviz = await instance();
  return graphviz.renderString(dot, {
    format: 'svg',
    graphAttributes: {
      ...FONT,
      labelloc: 'b',
      // A card of its own, readable on light and on dark pages.
      bgcolor: '#f7fafa',
      color: '#9db8bb',
      style: 'rounded',
      pad: 0.3,
      nodesep: 0.35,
      ranksep: 0.6,
    },
    nodeAttributes: {
      ...FONT,
      shape: 'box',
      style: 'rounded,filled',
      fillcolor: '#ffffff',
      color: '#1f6f78',
      // Wide enough for readers whose Helvetica is a wider font.
      margin: '0.42,0.12',
    },
    edgeAttributes: { ...FONT, fontsize: 10, color: '#4a6468', arrowsize: 0.7 },
  });
}
