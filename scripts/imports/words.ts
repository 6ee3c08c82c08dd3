/** Words that say nothing of what they name, and how a comment does not begin. The console is renamed on its own. */
const VAGUE =
  'Asked|Held|Told|Shown|Seen|Found|Ended|Written|Made|Kept|Named|Place|Gate|Line|Way|Words?|Turn|Trip|Wish|Mark';
const RETIRED: readonly (readonly [why: string, pattern: RegExp])[] = [
  [
    'a type that does not name the thing',
    new RegExp(`^\\s*(?:export )?(?:abstract )?(?:interface|class|type) (?:${VAGUE})\\b`),
  ],
  ['a limit is MAX_ or MIN_', /\b(?:const|let) (?:MOST|LEAST|LONGEST|LARGEST|FARTHEST|SHORTEST|SMALLEST)_/],
  ['a function checks, evaluates or verifies', /\bfunction judge(?:d|[A-Z]\w*)?\(/],
  ['the cause of a change is set', /\bsay(?:Way|Nothing)\w*\b/],
  ['a comment is a sentence', /(?:\/\*\*|^\s*\/\/) Of\b/],
];

/** The retired words in a file, as `line: why`. */
export function retiredWords(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      RETIRED.filter(([, pattern]) => pattern.test(line)).map(([why]) => `${index + 1}: ${why}`),
    );
}
