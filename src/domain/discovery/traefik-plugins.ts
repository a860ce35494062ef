import { softwareFact } from './download-address.ts';
import type { Fact } from './fact.ts';
import { maxFactsPerFile } from './scan-limits.ts';

/** Maximum number of characters of a line that are read. */
const maxLineLength = 1_000;

interface Plugin {
  name: string;
  repository: string | null;
  version: { text: string; line: number } | null;
}

/**
 * Returns the plugins in a static configuration of Traefik: in YAML or TOML, in a template or a text that contains it,
 * in arguments, and in environment variables. The configuration can be part of any file, so it's read by line.
 *
 * @see https://doc.traefik.io/traefik/reference/install-configuration/experimental/plugins/
 */
export function readTraefikPlugins(text: string): Fact[] {
  if (!/module_?name/i.test(text) || !/experimental/i.test(text)) return [];
  const plugins = new Map<string, Plugin>();
  /** Sets a field of the plugin with this key, if the field is one that identifies the plugin. */
  const set = (key: string, name: string, field: string, value: string, line: number) => {
    const isModule = /^module_?name$/i.test(field);
    if (!isModule && !/^version$/i.test(field)) return;
    const plugin = plugins.get(key) ?? { name, repository: null, version: null };
    if (plugins.size < maxFactsPerFile) plugins.set(key, plugin);
    if (isModule) plugin.repository ??= repositoryOf(value);
    else plugin.version ??= { text: value, line };
  };
  /** Keys that contain the current line of YAML, with their indentation and line. */
  const open: { key: string; indent: number; line: number }[] = [];
  let table: { name: string; line: number } | null = null;
  for (const [at, whole] of text.split('\n').entries()) {
    const written = whole.slice(0, maxLineLength).trimEnd();
    if (written === '' || /^\s*(?:#|\/\/)/.test(written)) continue;
    const number = at + 1;
    for (const [, name, field, value] of written.matchAll(option))
      set(`option ${name!.toLowerCase()}`, name!, field!, value!, number);
    const header = /^\s*\[/.test(written) ? tableHeader.exec(written) : undefined;
    if (header !== undefined) table = header && { name: header[1]!, line: number };
    const [, assigned, value] = (table && tableEntry.exec(written)) ?? [];
    if (table && assigned !== undefined) set(`table ${table.line}`, table.name, assigned, value!, number);
    const [, spaces, key, scalar = ''] = yamlKey.exec(written) ?? [];
    if (spaces !== undefined && key !== undefined) {
      while (open.length > 0 && open.at(-1)!.indent >= spaces.length) open.pop();
      const parent = open.at(-1);
      if (parent && isPlugins(open.slice(0, -1).map((each) => each.key)))
        set(`map ${parent.line}`, parent.key, key, withoutComment(scalar), number);
    }
    if (written.includes('{')) {
      const parents = open.map((each) => each.key);
      for (const [name, field, text] of flowEntries(written, parents))
        set(`flow ${number} ${name}`, name, field, text, number);
    }
    if (spaces !== undefined && key !== undefined) open.push({ key, indent: spaces.length, line: number });
  }
  return [...plugins.values()]
    .flatMap((plugin) => toFact(plugin) ?? [])
    .toSorted((a, b) => a.place.line - b.place.line);
}

/**
 * Matches an argument, such as `--experimental.plugins.web.version=v1.2.3`, and the environment variable
 * `TRAEFIK_EXPERIMENTAL_PLUGINS_WEB_VERSION`. The groups are the name of the plugin, the field, and the value.
 */
const option =
  /(?:--|TRAEFIK_|["'\s]|^)experimental[._]plugins[._]([\w-]{1,100})[._](module_?name|version)["']?[ \t]{0,10}[=:][ \t]{0,10}["']?((?:\{\{[^{}]{1,100}\}\}|[^\s"',]){1,300})/gi;

/** Matches the header of a table in TOML. The group is the name of the plugin. */
const tableHeader = /^[ \t]*\[[ \t]*experimental\.plugins\.["']?([\w.-]{1,100})["']?[ \t]*\]/i;

const tableEntry = /^[ \t]*(module_?name|version)[ \t]{0,20}=[ \t]{0,20}["']([^"']{1,300})["']/i;

/** Matches a key of YAML. The groups are its indentation, the key, and the rest of the line. */
const yamlKey = /^( {0,200})["']?([A-Za-z0-9][\w.-]{0,100})["']?:(?: {1,20}(\S.*))?$/;

/** Matches the map of a plugin in one line, such as `web: { moduleName: github.com/acme/web, version: v1.2.3 }`. */
const flowMap = /["']?([A-Za-z0-9][\w.-]{0,100})["']?:[ \t]{0,10}\{([^{}]{1,500})\}/g;

/** Yields the fields of the plugins in maps that begin and end in one line. */
function* flowEntries(
  line: string,
  parents: readonly string[],
): Generator<[name: string, field: string, value: string], void> {
  for (const { 0: whole, 1: name, 2: fields, index } of line.matchAll(flowMap)) {
    if (!/module_?name/i.test(whole)) continue;
    const before = line.slice(0, index).replaceAll(/\{[^{}]{0,500}\}/g, '');
    const around = Array.from(
      before.matchAll(/([A-Za-z0-9][\w.-]{0,100})["']?:[ \t]{0,10}\{/g),
      ([, key]) => key!,
    );
    if (!isPlugins([...parents, ...around])) continue;
    for (const [, field, value] of fields!.matchAll(
      /["']?(\w{1,20})["']?:[ \t]{0,10}["']?([^\s"',]{1,300})/g,
    ))
      yield [name!, field!, value!];
  }
}

/** True if a map in these maps contains the plugins of Traefik. */
function isPlugins(parents: readonly string[]): boolean {
  const [outer = '', inner = ''] = parents.slice(-2);
  return /^experimental$/i.test(outer) && /^plugins$/i.test(inner);
}

function withoutComment(scalar: string): string {
  const hash = scalar.indexOf(' #');
  return (hash < 0 ? scalar : scalar.slice(0, hash)).trim().replace(/^["']|["']$/g, '');
}

/** Returns the repository of a Go module. A path after it is the major version of the module. */
function repositoryOf(module: string): string | null {
  return /^github\.com\/([\w.-]{1,100}\/[\w.-]{1,100})(?:\/v\d{1,4})?$/.exec(module)?.[1] ?? null;
}

function toFact({ name, repository, version }: Plugin): Fact | null {
  if (repository === null || version === null) return null;
  const field = `experimental.plugins.${name}`;
  return {
    extractor: 'traefik',
    place: { line: version.line, document: 0, kind: null, namespace: null, name: null, field },
    ...softwareFact({ repository, tool: null }, version.text, 'ref'),
    note: 'plugin of Traefik',
  };
}
