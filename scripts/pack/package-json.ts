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

/** A package that brings others of ours in its own node_modules: with all that these need from elsewhere. */
export function bundling(source: SourcePackage, bundled: readonly SourcePackage[]): SourcePackage {
  const needed: Record<string, string> = {};
  for (const { dependencies } of [...bundled, source]) Object.assign(needed, dependencies);
  const sorted = Object.entries(needed).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const names = bundled.map(({ name }) => name).toSorted();
  return { ...source, dependencies: Object.fromEntries(sorted), bundleDependencies: names };
}

/** One that travels in another: it is not published, and what only tests enter is not in it. */
export function bundledPackage(source: SourcePackage, node: string): Record<string, unknown> {
  const exports = Object.entries(source.exports ?? {}).filter(([name]) => name !== './testing');
  const { publishConfig: _, ...rest } = publishedPackage(
    { ...source, exports: Object.fromEntries(exports) },
    node,
  );
  return { ...rest, private: true };
}

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
