/** The package.json of a published package: its JavaScript and types instead of its TypeScript, and nothing for development. */
export interface SourcePackage {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

const LEFT_OUT = new Set(['private', 'devDependencies', 'exports', 'scripts']);

export function publishedPackage(source: SourcePackage, node: string): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(source).filter(([name]) => !LEFT_OUT.has(name)));
  const entryPoints = Object.entries(source.exports ?? {}).map(([name, target]) => [
    name,
    typeof target === 'string' ? published(target) : eachPublished(target),
  ]);
  return {
    ...kept,
    ...(entryPoints.length === 0 ? {} : { exports: Object.fromEntries(entryPoints) as object }),
    engines: { node },
    publishConfig: { access: 'public' },
  };
}

function published(file: string): object {
  return { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') };
}

/** An entry point that leads to different files, such as one for browsers. */
function eachPublished(targets: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(targets).map(([condition, file]) => [condition, published(file)]));
}
