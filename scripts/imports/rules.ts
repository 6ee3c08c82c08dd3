/** The rules of table.ts, checked for one file. Each fault names its rule and says what would be right. */
import { posix } from 'node:path';
import { type FileLocation, locateFile } from './file-location.ts';
import type { Import, Source } from './source.ts';
import {
  domains,
  environmentReaders,
  featureRooms,
  libraries,
  numbersOnce,
  packages,
  purePackages,
  requestReaders,
  serverLayers,
  sqlSpeakers,
  testFolders,
  testLibraries,
  textDecoders,
} from './table.ts';

const ruleNames = [
  'known-place',
  'literal-import',
  'package-direction',
  'package-entry',
  'pure-protocol',
  'server-layer',
  'domain-floor',
  'feature-floor',
  'feature-entry',
  'library',
  'tests-stay-tests',
  'environment',
  'sql',
  'text-decoder',
  'number-once',
  'circle',
  'full-folder',
  'small-file',
  'same-name',
] as const;
export type RuleName = (typeof ruleNames)[number];

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: RuleName;
  readonly why: string;
}

type Finding = Pick<Violation, 'rule' | 'why'>;

const SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\s/;
const ENVIRONMENT = /\bprocess\s*\.\s*env\b|\benv\b[^;{}]*\}\s*=\s*process\b/g;

/** With arguments: an empty `URLSearchParams` decodes nothing. */
const DECODERS =
  /\bnew\s+URLSearchParams\s*\(\s*[^)\s]|\bdecodeURI(?:Component)?\b|\bunescape\s*\(|\bTextDecoder\b|(?:\bcall\s*\.\s*|(?<!\.\s*))\bbody\s*\.\s*toString\s*\(\s*\)/g;
const BYTES_TO_TEXT = /\.\s*toString\s*\(\s*['"]/g;

export function checkFile(file: string, source: Source): Violation[] {
  const fileLocation = locateFile(file);
  const unknown = checkKnown(fileLocation);
  if (unknown !== undefined) return [{ file, line: 1, ...unknown }];
  return [
    ...source.imports.flatMap((found) =>
      checkImport(fileLocation, found).map((finding) => ({ file, line: found.line, ...finding })),
    ),
    ...checkEnvironment(fileLocation, source),
    ...checkSql(fileLocation, source),
    ...checkDecoders(fileLocation, source),
    ...checkNumbers(fileLocation, source),
  ];
}

function checkKnown({ file, package: row, layer, domain, feature, room }: FileLocation): Finding | undefined {
  const finding = (what: string): Finding => ({ rule: 'known-place', why: `${what} has no row in table.ts` });
  if (row === undefined) return file.includes('/') ? finding('this folder') : undefined;
  if (layer !== undefined && !Object.hasOwn(serverLayers, layer)) return finding(`the layer ${layer}`);
  if (domain !== undefined && feature === undefined && file !== limitsOf(domain))
    return finding(`a file of ${domain} outside its features`);
  if (feature !== undefined && floorOf(domain, feature) < 0)
    return finding(`the feature ${domain}/${feature}`);
  if (room !== undefined && !featureRooms[feature ?? '']?.includes(room))
    return finding(`the folder ${feature}/${room}`);
  return undefined;
}

function checkImport(fileLocation: FileLocation, found: Import): Finding[] {
  const { target } = found;
  if (target === undefined)
    return [{ rule: 'literal-import', why: 'an import whose target is computed can’t be checked' }];
  const findings = /^(?:\.|\/|file:)/.test(target)
    ? checkPath(fileLocation, target, found.typeOnly)
    : checkBare(fileLocation, target, found.typeOnly);
  return findings.filter((finding) => finding !== undefined);
}

function checkPath(fileLocation: FileLocation, target: string, typeOnly: boolean): (Finding | undefined)[] {
  const to = locateFile(posix.normalize(posix.join(posix.dirname(fileLocation.file), target)));
  if (!target.startsWith('.') || to.package !== fileLocation.package)
    return [
      {
        rule: 'package-entry',
        why: `another package is imported by its name, never by a path such as ${target}`,
      },
    ];
  return [
    checkTestImport(fileLocation, to),
    checkLayer(fileLocation, to),
    checkLibrary(fileLocation, to.file, typeOnly),
    ...checkFeature(fileLocation, to),
  ];
}

function checkTestImport(fileLocation: FileLocation, to: FileLocation): Finding | undefined {
  if (!to.isTest || fileLocation.isTest || inTestFolder(fileLocation)) return undefined;
  return { rule: 'tests-stay-tests', why: `${to.file} is for tests only` };
}

function checkLayer(fileLocation: FileLocation, to: FileLocation): Finding | undefined {
  if (fileLocation.layer === undefined || to.layer === undefined) return undefined;
  if (serverLayers[fileLocation.layer]?.includes(to.layer)) return undefined;
  const allowed = serverLayers[fileLocation.layer]?.join(', ');
  return { rule: 'server-layer', why: `${fileLocation.layer} imports only ${allowed}; this is ${to.layer}` };
}

function checkFeature(fileLocation: FileLocation, to: FileLocation): (Finding | undefined)[] {
  if (to.domain === undefined || (to.domain === fileLocation.domain && to.feature === fileLocation.feature))
    return [];
  return [checkEntry(fileLocation, to), checkFloor(fileLocation, to)];
}

function checkEntry(fileLocation: FileLocation, to: FileLocation): Finding | undefined {
  // A domain's limits are for everybody above.
  if (to.feature === undefined) return undefined;
  const folder = `packages/server/src/${to.domain}/${to.feature}`;
  const entryPoints = [
    `${folder}/index.ts`,
    ...(fileLocation.isTest ? [`${folder}/${to.feature}.testing.ts`] : []),
  ];
  return entryPoints.includes(to.file)
    ? undefined
    : {
        rule: 'feature-entry',
        why: `enter ${to.feature} through its index.ts; tests also through its ${to.feature}.testing.ts`,
      };
}

function checkFloor(fileLocation: FileLocation, to: FileLocation): Finding | undefined {
  if (fileLocation.domain === undefined) return undefined;
  if (fileLocation.domain !== to.domain)
    return heightOf(to.domain) > heightOf(fileLocation.domain)
      ? undefined
      : { rule: 'domain-floor', why: `the domain ${to.domain} is not below ${fileLocation.domain}` };
  if (to.feature === undefined) return undefined;
  if (fileLocation.feature === undefined)
    return { rule: 'feature-floor', why: `the limits of ${fileLocation.domain} stand below its features` };
  return floorOf(to.domain, to.feature) > floorOf(fileLocation.domain, fileLocation.feature)
    ? undefined
    : { rule: 'feature-floor', why: `${to.feature} is not below ${fileLocation.feature}` };
}

function checkBare(fileLocation: FileLocation, target: string, typeOnly: boolean): (Finding | undefined)[] {
  return [
    ...checkOurs(fileLocation, target),
    checkPure(fileLocation, target),
    checkLibrary(fileLocation, target, typeOnly),
    testLibraries.includes(target) &&
    !fileLocation.isTest &&
    !inTestFolder(fileLocation) &&
    fileLocation.file.includes('/')
      ? { rule: 'tests-stay-tests', why: `${target} is for tests only` }
      : undefined,
  ];
}

function checkOurs(fileLocation: FileLocation, target: string): (Finding | undefined)[] {
  const to = packages.find(({ name }) => target === name || target.startsWith(`${name}/`));
  if (to === undefined || to === fileLocation.package) return [];
  const entry = target.slice(to.name.length + 1);
  const allowed = [
    ...(fileLocation.package?.imports ?? []),
    ...(fileLocation.isTest ? (fileLocation.package?.tests ?? []) : []),
  ];
  return [
    entry === '' || to.entryPoints?.includes(entry)
      ? undefined
      : { rule: 'package-entry', why: `import ${to.name} itself, not a file of it` },
    allowed.includes(to.name)
      ? undefined
      : {
          rule: 'package-direction',
          why: `${fileLocation.package?.folder ?? 'the root'} may import ${allowed.join(', ') || 'none of our packages'}; not ${to.name}`,
        },
  ];
}

function checkPure(fileLocation: FileLocation, target: string): Finding | undefined {
  if (fileLocation.isTest || !purePackages.some((folder) => fileLocation.file.startsWith(folder)))
    return undefined;
  return {
    rule: 'pure-protocol',
    why: `the protocol uses no Node and no dependencies; this is ${target}`,
  };
}

function checkLibrary(fileLocation: FileLocation, target: string, typeOnly: boolean): Finding | undefined {
  const name = target.replace(/^node:/, '');
  const row = libraries.find(({ library }) => name === library || name.startsWith(`${library}/`));
  if (row === undefined || (row.typesAnywhere && typeOnly) || (row.tests && fileLocation.isTest))
    return undefined;
  if (row.only.some((folder) => fileLocation.file.startsWith(folder))) return undefined;
  return { rule: 'library', why: `${row.library} is not imported here: ${row.why}` };
}

function checkEnvironment(fileLocation: FileLocation, source: Source): Violation[] {
  const free = fileLocation.isTest || !fileLocation.file.startsWith('packages/');
  if (free || environmentReaders.some((folder) => fileLocation.file.startsWith(folder))) return [];
  const lines = [
    ...[...source.code.matchAll(ENVIRONMENT)].map((match) => source.lineAt(match.index)),
    ...source.imports
      .filter(({ target }) => /^(?:node:)?process$/.test(target ?? ''))
      .map(({ line }) => line),
  ];
  const why = 'only the configuration and the command line read the environment';
  return lines.map((line) => ({ file: fileLocation.file, line, rule: 'environment', why }));
}

function checkSql(fileLocation: FileLocation, source: Source): Violation[] {
  const { file, isTest } = fileLocation;
  const ruled =
    /^(?:packages|quality\/acceptance)\//.test(file) && (!isTest || file.startsWith('quality/acceptance/'));
  if (!ruled || sqlSpeakers.test(file)) return [];
  const why = 'only store files, platform/db and platform/queue may use SQL';
  return source.literals
    .filter(({ text }) => SQL.test(text))
    .map(({ start }) => ({ file, line: source.lineAt(start), rule: 'sql', why }));
}

function checkDecoders({ file, isTest }: FileLocation, source: Source): Violation[] {
  const ruled = !isTest && requestReaders.some((folder) => file.startsWith(folder));
  if (!ruled || textDecoders.includes(file)) return [];
  const textAt = new Map(source.literals.map(({ start, text }) => [start, text]));
  const starts = [
    ...[...source.code.matchAll(DECODERS)].map(({ index }) => index),
    ...[...source.code.matchAll(BYTES_TO_TEXT)]
      .filter((match) => /^utf-?8$/i.test(textAt.get(match.index + match[0].length - 1) ?? ''))
      .map(({ index }) => index),
  ];
  const why = 'text from outside is decoded by decodeUtf8, decodePercent, parseFields and decodeJson only';
  return starts.map((start) => ({ file, line: source.lineAt(start), rule: 'text-decoder', why }));
}

function checkNumbers({ file, isTest }: FileLocation, source: Source): Violation[] {
  if (isTest || !/^packages\/[^/]+\/src\//.test(file)) return [];
  return numbersOnce
    .filter(({ only }) => !only.test(file))
    .flatMap(({ number, why }) =>
      [...source.code.matchAll(number)].map(({ index }) => ({
        file,
        line: source.lineAt(index),
        rule: 'number-once' as const,
        why,
      })),
    );
}

function inTestFolder(fileLocation: FileLocation): boolean {
  return testFolders.some((folder) => fileLocation.file.startsWith(folder));
}

function limitsOf(domain: string): string {
  return `packages/server/src/${domain}/limits.ts`;
}

/** 0 is the highest. */
function heightOf(domain: string | undefined): number {
  return domains.findIndex((row) => row.domain === domain);
}

/** Inside its domain; 0 is the highest. */
function floorOf(domain: string | undefined, feature: string): number {
  return domains[heightOf(domain)]?.floors.findIndex((floor) => floor.includes(feature)) ?? -1;
}
