import { nearestName } from '../domain/text/nearest-name.ts';
import { resources } from './resources/resource-table.ts';

/** Equivalents of commands that users know from other programs. */
const otherNames = new Map([
  ...pairsOf(['plan', 'diff', 'validate'], 'apply -f FILE --dry-run'),
  ...pairsOf(['list', 'ls', 'show', 'describe', 'view'], 'get'),
  ...pairsOf(['add', 'new'], 'create'),
  ...pairsOf(['edit', 'patch'], 'update'),
  ...pairsOf(['set'], 'update or set-version'),
  ...pairsOf(['rm', 'remove', 'del', 'destroy'], 'delete'),
  ...pairsOf(['status'], 'alerts (or doctor, to check the server)'),
  ...pairsOf(['health'], 'doctor'),
  ...pairsOf(['start'], 'serve'),
  ...pairsOf(['version'], '--version'),
]);

/** Returns the error message for an unknown command. */
export function unknownCommandMessage(name: string, commands: readonly string[]): string {
  const meant = otherNames.get(name) ?? listOf(name) ?? nearestName(name, commands);
  return `pacekeeper: unknown command "${name}".${meant ? ` Did you mean ${meant}?` : ''} Run 'pacekeeper --help' to list commands.\n`;
}

/**
 * Suggests `get` if the name is a resource. The shortest aliases are excluded, because they are more likely
 * typos.
 */
function listOf(name: string): string | null {
  const found = resources.find((each) => [each.name, each.singular, ...each.aliases].includes(name));
  return found && name.length > 2 ? `get ${found.name}` : null;
}

function pairsOf(names: readonly string[], meant: string): (readonly [string, string])[] {
  return names.map((name) => [name, meant] as const);
}
