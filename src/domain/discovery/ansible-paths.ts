import { directoryOf } from './repository-path.ts';

/** Directories of inventories: `inventory`, `inventories`, and names such as `production.inventory`. */
const inventoryName = String.raw`(?:[^/]*[._-])?inventor(?:y|ies)`;

/** Matches the directories in which a YAML file belongs to Ansible. */
export const ansibleDirectories = new RegExp(
  `(?:^|/)(?:defaults|vars|tasks|handlers|group_vars|host_vars|${inventoryName}|playbooks)/`,
);

const inventory = new RegExp(`(?:^|/)(?:group_vars|host_vars|${inventoryName})/`);

/** True for a file with variables of groups or hosts. */
export function isInventory(path: string): boolean {
  return inventory.test(path);
}

/** True for files that contain only variables, those of the hosts or of the groups in their names. */
export function isVariablesOfHosts(path: string): boolean {
  return /(?:^|\/)(?:group_vars|host_vars)\//.test(path);
}

/** True for the variables of all hosts of an inventory. */
export function isForAllHosts(path: string): boolean {
  return /(?:^|\/)group_vars\/all(?:\.ya?ml|\/[^/]+\.ya?ml)$/.test(path);
}

/** True for the variables of a single host. */
export function isForOneHost(path: string): boolean {
  return /(?:^|\/)host_vars\//.test(path);
}

/**
 * Returns the directory of an inventory: the one that contains `group_vars` and `host_vars`, and the files
 * with hosts. Such directories next to playbooks apply to every inventory below, or next to a directory `playbooks`.
 */
export function rootOfInventory(path: string): string {
  const at = path.search(/(?:^|\/)(?:group_vars|host_vars)\//);
  const root = at >= 0 ? path.slice(0, at) : directoryOf(path);
  return /(?:^|\/)playbooks?$/.test(root) ? directoryOf(root) : root;
}

/** True for a file that shows that its directory is an inventory, even if it sets no variables. */
export function isPartOfInventory(path: string): boolean {
  if (/(?:^|\/)(?:roles|templates|files)\//.test(path)) return false;
  return isVariablesOfHosts(path) || /(?:^|\/)(?:hosts|inventory)(?:\.(?:ya?ml|ini))?$/.test(path);
}

/** True for default variables of a role, which every inventory can override. */
export function isRoleDefaults(path: string): boolean {
  return /(?:^|\/)defaults\/[^/]+(?:\/[^/]+)?\.ya?ml$/.test(path);
}

/** True for variables of a role that are always loaded. Inventories can't override them. */
export function isRoleVars(path: string): boolean {
  return /(?:^|\/)vars\/main(?:\.ya?ml|\/[^/]+\.ya?ml)$/.test(path);
}

/** True for a file in the templates of a role, which Jinja renders whatever its name. */
export function isRoleTemplate(path: string): boolean {
  return /(?:^|\/)roles\/[^/]/.test(path.slice(0, Math.max(0, path.lastIndexOf('/templates/'))));
}
