/**
 * Templates of the upload policy, parsed once into literal text and variables, `$(name)` or `${name}`. The content of a
 * value is never parsed again, so a file called `$(etag)` stays one.
 *
 * A JSON template is checked here: it renders to valid JSON whatever the values are, or it is refused.
 */
import { Fault } from '../errors/fault.ts';
import { utf8Length } from '../utf8.ts';
import { isAvailable, type TemplateContext } from './variables.ts';

/** How values are written: form text, JSON, a segment of a processing command, or as they are (object names). */
export type TemplateEncoding = 'form' | 'json' | 'command' | 'plain';

export interface TemplateVariablePart {
  /** `imageInfo.width` is two steps; a custom variable is one, including any dots. */
  readonly path: readonly string[];
  /** False: it is not allowed in this place, or is not a variable at all, and has no value. */
  readonly available: boolean;
  /** Is inside a JSON string literal. */
  readonly quoted: boolean;
}

export type TemplatePart = string | TemplateVariablePart;

export interface Template {
  readonly source: string;
  readonly encoding: TemplateEncoding;
  readonly parts: readonly TemplatePart[];
}

export const MAX_TEMPLATE_BYTES = 64 * 1024;
export const MAX_TEMPLATE_VARIABLES = 256;

const REFERENCE = /\$\(([^(){}$]{1,128})\)|\$\{([^(){}$]{1,128})\}/g;
const CUSTOM = /^x:[^\s"'\\]+$/;
const MAGIC = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_ -]+)*$/;

export function parseTemplate(source: string, place: TemplateContext, encoding: TemplateEncoding): Template {
  if (utf8Length(source) > MAX_TEMPLATE_BYTES) {
    throw new Fault('invalidPolicy', { hint: `a template is longer than ${MAX_TEMPLATE_BYTES} bytes` });
  }
  const parts: TemplatePart[] = [];
  const json = new JsonContext();
  let variables = 0;
  let from = 0;
  const addLiteral = (to: number): void => {
    if (to === from) return;
    const text = source.slice(from, to);
    parts.push(text);
    if (encoding === 'json') json.literal(text);
  };
  for (const match of source.matchAll(REFERENCE)) {
    const path = pathOf(match[1] ?? match[2] ?? '');
    if (path === undefined) continue;
    if (++variables > MAX_TEMPLATE_VARIABLES) {
      throw new Fault('invalidPolicy', {
        hint: `a template has more than ${MAX_TEMPLATE_VARIABLES} variables`,
      });
    }
    addLiteral(match.index);
    const quoted = encoding === 'json' && json.variable();
    parts.push({ path, available: isAvailable(path, place), quoted });
    from = match.index + match[0].length;
  }
  addLiteral(source.length);
  if (encoding === 'json') json.finish();
  return { source, encoding, parts };
}

/** Roots of the variables whose values are needed: `imageInfo`, `x:name`. */
export function variablesOf(template: Template): ReadonlySet<string> {
  const roots = new Set<string>();
  for (const part of template.parts) {
    if (typeof part !== 'string' && part.available) roots.add(part.path[0] ?? '');
  }
  return roots;
}

/** Undefined if the text between the brackets is not a variable name: then all of it is literal. */
function pathOf(name: string): readonly string[] | undefined {
  if (CUSTOM.test(name)) return [name];
  return MAGIC.test(name) ? name.split('.') : undefined;
}

/**
 * Follows the literals of a JSON template, to tell which variables are inside string literals, and builds a sample
 * rendering. The sample uses `null` for a bare variable and `x` for a quoted one: `x` is neither an escape letter nor a
 * hexadecimal digit, so a variable inside an escape sequence fails here and not later.
 */
class JsonContext {
  private sample = '';
  private inString = false;
  private escaped = false;

  literal(text: string): void {
    this.sample += text;
    for (const character of text) {
      if (this.escaped) this.escaped = false;
      else if (this.inString && character === '\\') this.escaped = true;
      else if (character === '"') this.inString = !this.inString;
    }
  }

  variable(): boolean {
    this.sample += this.inString ? 'x' : 'null';
    this.escaped = false;
    return this.inString;
  }

  finish(): void {
    try {
      JSON.parse(this.sample);
    } catch {
      throw new Fault('invalidPolicy', { hint: 'a template of type JSON does not produce valid JSON' });
    }
  }
}
