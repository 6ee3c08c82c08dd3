/** Thumbnails, each with a different size and quality, so that none exists already: requested by URL, or made by sharp. */
import sharp from 'sharp';
import { openConnection } from './connection.ts';
import { hostOf } from './presign.ts';
import type { ImageWork, Lanes, SharpWork } from './work.ts';

/** Keeps counting over all orders of this process. */
let asked = 0;

/** About the same work each time. */
function next(): { number: number; width: number; quality: number } {
  const number = asked++;
  return {
    number,
    width: 200 + (number % 100),
    quality: 50 + (Math.floor(number / 100) % 40),
  };
}

export function imageLanes({ to, paths }: ImageWork): Lanes {
  return {
    async open() {
      const connection = await openConnection(to);
      return {
        async once() {
          const { number, width, quality } = next();
          const target = `${paths[number % paths.length]}?imageView2/2/w/${width}/q/${quality}!`;
          const { status } = await connection.send(`GET ${target} HTTP/1.1\r\nHost: ${hostOf(to)}\r\n\r\n`);
          if (status !== 200) throw new Error(`answered ${status}`);
        },
        close: () => connection.close(),
      };
    },
    close: async () => undefined,
  };
}

export function sharpLanes({ file }: SharpWork): Lanes {
  return {
    open: async () => ({
      async once() {
        const { width, quality } = next();
        await sharp(file).autoOrient().resize({ width }).jpeg({ quality }).toBuffer();
      },
      close: () => undefined,
    }),
    close: async () => undefined,
  };
}
