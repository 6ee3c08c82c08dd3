/** The commands of a guide: its `sh` blocks, in order, and their output according to the page. */
export interface Block {
  /** Line of its first command on the page, counted from 1. */
  readonly line: number;
  /** A comment before the commands, without its sign. */
  readonly note: string | undefined;
  readonly commands: readonly string[];
  /** Lines of a `text` block right after it; `…` stands for anything. */
  readonly printed: readonly string[] | undefined;
}

interface Fence {
  readonly kind: string;
  readonly line: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export function blocksOf(markdown: string): Block[] {
  const fences = fencesOf(markdown.split('\n'));
  return fences.flatMap((fence, index) => {
    if (fence.kind !== 'sh') return [];
    const next = fences[index + 1];
    const isAnswer = next?.kind === 'text' && next.line - fence.end <= 3;
    const commands = joined(fence.lines).filter((line) => line.trim() !== '' && !/^#(?!!)/.test(line));
    const note = /^# (.*)$/.exec(fence.lines[0] ?? '')?.[1];
    return [{ line: fence.line + 1, note, commands, printed: isAnswer ? next.lines : undefined }];
  });
}

/** Whether an output has the lines, in order, with or without others between them. Each is looked for behind the one before. */
export function prints(output: string, expected: readonly string[]): boolean {
  let from = 0;
  for (const line of expected) {
    const form = line.trim().replace(/^…|…$/g, '').split('…').map(escaped).join('.*?');
    const found = new RegExp(form).exec(output.slice(from));
    if (found === null) return false;
    from += found.index + found[0].length;
  }
  return true;
}

function fencesOf(lines: readonly string[]): Fence[] {
  const fences: Fence[] = [];
  let open: { kind: string; line: number } | undefined;
  lines.forEach((text, index) => {
    const mark = /^```(.*)$/.exec(text);
    if (mark === null) return;
    if (open === undefined) open = { kind: (mark[1] ?? '').trim(), line: index + 1 };
    else {
      fences.push({ ...open, end: index + 1, lines: lines.slice(open.line, index) });
      open = undefined;
    }
  });
  return fences;
}

/** A line that ends with a backslash continues on the next. */
function joined(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .split(/(?<!\\)\n/)
    .filter((line) => line !== '');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
