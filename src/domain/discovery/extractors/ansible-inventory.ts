import type { DocumentTree } from '../../parsers/document-tree.ts';
import { canBeAnsibleValue } from '../ansible-values.ts';
import { emptyExtraction, type Fact, type InventoryValue } from '../fact.ts';
import { readNamedVersion } from '../named-versions.ts';
import { readableText } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import type { TextExtractor } from './extractor.ts';

/** Maximum number of variables of one file of an inventory. Real files have up to a few hundred. */
const maxValues = 2_000;
/** Maximum depth of groups that contain groups. Real inventories have a few levels. */
const maxDepth = 20;

/** A variable of an inventory in YAML. */
export interface InventoryVariable {
  name: string;
  node: DocumentTree & { kind: 'scalar' };
  /** Keys that lead to the variable, separated by dots. */
  field: string;
  isOfOneHost: boolean;
}

/** Yields the variables of the groups and hosts of an inventory in YAML. */
export function* inventoryVariables(tree: DocumentTree): Generator<InventoryVariable, void> {
  let left = maxValues;
  yield* readGroups(tree, '', 0);

  function* readGroups(groups: DocumentTree, prefix: string, depth: number): Generator<InventoryVariable> {
    if (groups.kind !== 'map' || depth > maxDepth) return;
    for (const [group, definition] of groups.entries()) {
      if (definition.kind !== 'map') continue;
      const field = `${prefix}${group}`;
      for (const [key, value] of definition.entries())
        if (key === 'vars') yield* readVariables(value, `${field}.vars`, false);
        else if (key === 'children') yield* readGroups(value, `${field}.children.`, depth + 1);
        else if (key === 'hosts' && value.kind === 'map')
          for (const [host, variables] of value.entries())
            yield* readVariables(variables, `${field}.hosts.${host}`, true);
    }
  }

  function* readVariables(
    map: DocumentTree,
    prefix: string,
    isOfOneHost: boolean,
  ): Generator<InventoryVariable> {
    if (map.kind !== 'map') return;
    for (const [name, node] of map.entries()) {
      if (left-- <= 0) return;
      if (node.kind === 'scalar') yield { name, node, field: `${prefix}.${name}`, isOfOneHost };
    }
  }
}

/**
 * Inventories in the INI format: variables of groups below `[group:vars]`, and those after the name of a host.
 * They can set versions of roles, and a variable such as `etcd_version` is a version itself.
 */
export const iniInventory: TextExtractor = {
  name: 'ansible',
  wantsFile: ({ path, base }) =>
    /^(?:hosts|inventory)(?:\.ini)?$/i.test(base) ||
    (/(?:^|\/)(?:[^/]*[._-])?inventor(?:y|ies)\//.test(path) && /^[\w-]+(?:\.ini)?$/.test(base)),
  isNamed: () => false,
  extract(text) {
    const values: InventoryValue[] = [];
    const facts: Fact[] = [];
    let group: string | null = null;
    for (const [at, whole] of text.split('\n').entries()) {
      const line = whole.slice(0, 1_000).trim();
      if (line === '' || /^[#;]/.test(line)) continue;
      const section = /^\[([^\]]*)\]/.exec(line)?.[1];
      if (section !== undefined) {
        group = /^(.{1,200}):vars$/.exec(section)?.[1] ?? null;
        continue;
      }
      const pairs =
        group !== null
          ? [/^(\w{1,200})\s{0,20}=\s{0,20}(.*)$/.exec(line)]
          : line.matchAll(/\s(\w+)=("[^"]*"|'[^']*'|\S*)/g);
      for (const pair of pairs) {
        const [, name, written] = pair ?? [];
        if (name === undefined || written === undefined || values.length >= maxValues) continue;
        const value = written.split(/\s[#;]/, 1)[0]!.replace(/^(["'])(.*)\1$/, '$2');
        if (!canBeAnsibleValue(name, value)) continue;
        const place = { line: at + 1, document: 0, field: name };
        values.push({
          name,
          text: readableText(value),
          ...place,
          isOfOneHost: group === null,
          ...(group !== null && { group }),
        });
        const found = readNamedVersion(name, value);
        if (found && facts.length < maxFactsPerFile)
          facts.push({
            extractor: 'ansible',
            place: { ...place, kind: 'variable', namespace: null, name: null },
            ...found,
          });
      }
    }
    return {
      ...emptyExtraction(),
      facts,
      links: values.length > 0 ? [{ type: 'ansible_inventory', values }] : [],
    };
  },
};
