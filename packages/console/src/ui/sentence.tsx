/** A sentence of the catalogue with parts that are more than text: `In <pipeline/> since <time/>.` Data is never read as markup. */
import { createElement, Fragment, type ReactNode } from 'react';

export function Sentence({
  text,
  parts,
}: {
  readonly text: string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}) {
  const pieces = text.split(/(<\w+\/>)/).map((piece) => {
    const name = /^<(\w+)\/>$/.exec(piece)?.[1];
    return name === undefined ? piece : parts[name];
  });
  return createElement(Fragment, null, ...pieces);
}
