import type { DocumentTree } from '../parsers/document-tree.ts';
import { canBeAnsibleValue } from './ansible-values.ts';
import {
  listAt,
  parseDocument,
  type ReadDocument,
  splitDocuments,
  textAt,
  treeAt,
} from './read-documents.ts';
import { isTemplated, readableText } from './read-version.ts';
import { walkTree } from './walk-tree.ts';

/** A play of a playbook. */
export interface AnsiblePlay {
  /** Groups and hosts in its pattern, without those that only narrow it. */
  hosts: string[];
  roles: string[];
  variables: PlayVariable[];
  /** Files in `vars_files`, relative to the playbook. */
  files: string[];
  /** True if the play loads files of variables whose paths aren't known. */
  hasOpenFiles: boolean;
}

/** A variable that a play sets. */
export interface PlayVariable {
  name: string;
  text: string;
  line: number;
  document: number;
  /** The role that gets the variable. Null if all roles of the play get it. */
  role: string | null;
}

/** Maximum number of plays in a playbook, and of hosts, roles, files, and variables in a play. */
const maxPlays = 200;
const maxEntries = 500;

/** Reads the plays of a playbook. Returns null if they aren't all known. */
export function readPlays(text: string): AnsiblePlay[] | null {
  const plays: AnsiblePlay[] = [];
  let left = maxPlays;
  for (const part of splitDocuments(text)) {
    const read = left-- > 0 ? parseDocument(part) : null;
    if (!read?.ok) return null;
    for (const entry of listAt(read.document.tree)) {
      if (treeAt(entry, 'hosts') === undefined) continue;
      const play = plays.length < maxPlays ? readPlay(read.document, entry) : null;
      if (!play) return null;
      plays.push(play);
    }
  }
  return plays;
}

function readPlay(document: ReadDocument, tree: DocumentTree): AnsiblePlay | null {
  const play: AnsiblePlay = {
    hosts: textsOf(treeAt(tree, 'hosts'))
      .flatMap((text) =>
        readableText(text)
          .replaceAll(/\{\{[^{}]*\}\}/g, '{{…}}')
          .split(/[:,]/),
      )
      .map((text) => text.trim())
      .filter((text) => text !== '' && !/^[!&]/.test(text)),
    roles: [],
    variables: [],
    files: [],
    hasOpenFiles: false,
  };
  const add = (map: DocumentTree | undefined, role: string | null) => {
    for (const [name, node] of map?.kind === 'map' ? map.entries() : []) {
      if (node.kind !== 'scalar' || !canBeAnsibleValue(name, node.text)) continue;
      const place = { line: document.lineOf(node), document: document.index };
      play.variables.push({ name, text: readableText(node.text), ...place, role });
    }
  };
  const addRole = (name: string | null) => {
    if (name !== null && !isTemplated(name)) play.roles.push(name.slice(0, 200));
  };
  add(treeAt(tree, 'vars'), null);
  for (const role of listAt(tree, 'roles')) {
    const name = role.kind === 'scalar' ? role.text : (textAt(role, 'role') ?? textAt(role, 'name'));
    addRole(name);
    if (name === null || role.kind !== 'map') continue;
    add(role, name);
    add(treeAt(role, 'vars'), name);
  }
  const files = treeAt(tree, 'vars_files');
  for (const file of files?.kind === 'scalar' ? [files] : listAt(files)) {
    // Ansible loads the first file of a nested list that exists.
    if (file.kind === 'scalar' && !isTemplated(file.text)) play.files.push(file.text.slice(0, 300));
    else play.hasOpenFiles = true;
  }
  const isComplete = walkTree(tree, ({ node, key, field }) => {
    if (field === 'vars' || field === 'roles') return false;
    if (/(?:^|\.)include_vars$/.test(key)) play.hasOpenFiles = true;
    if (node.kind !== 'map') return true;
    for (const module of [
      'include_role',
      'import_role',
      'ansible.builtin.include_role',
      'ansible.builtin.import_role',
    ]) {
      const name = textAt(node, module, 'name');
      addRole(name);
      if (name !== null) add(treeAt(node, 'vars'), name);
    }
    return play.roles.length + play.variables.length <= maxEntries;
  });
  const count = play.hosts.length + play.roles.length + play.variables.length + play.files.length;
  return isComplete && count <= maxEntries ? play : null;
}

function textsOf(tree: DocumentTree | undefined): string[] {
  if (tree?.kind === 'scalar') return [tree.text.slice(0, 1_000)];
  return [...listAt(tree)]
    .slice(0, maxEntries)
    .flatMap((entry) => (entry.kind === 'scalar' ? entry.text : []));
}
