/** The bit of Markdown that the reference pages need. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Text for a table cell: a bar would end it, and `<word>` outside code would be taken for HTML. */
function cell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith('`') ? piece : piece.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A whole page. Sections are separated by an empty line; the first line says where the page comes from. */
export function page(title: string, source: string, sections: readonly string[]): string {
  const note = `<!-- Made by \`npm run docs\` from ${source}. Change it there. -->`;
  return `${[`# ${title}`, note, ...sections].join('\n\n')}\n`;
}
