import { nearestName } from '../domain/text/nearest-name.ts';
import { resources } from './resources/resource-table.ts';

/** What commands of other programs are called here. */
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

/** For a first argument that is no command. */
export function unknownCommandMessage(name: string, commands: readonly string[]): string {
  const meant = otherNames.get(name) ?? listOf(name) ?? nearestName(name, commands);
  return `pacekeeper: unknown command "${name}".${meant ? ` Did you mean ${meant}?` : ''} Run 'pacekeeper --help' to list commands.\n`;
}

/** For a resource without a verb. Its shortest forms are too short to be meant. */
function listOf(name: string): string | null {
  const found = resources.find((each) => [each.name, each.singular, ...each.aliases].includes(name));
  return found && name.length > 2 ? `get ${found.name}` : null;
}

function pairsOf(names: readonly string[], meant: string): (readonly [string, string])[] {
  return names.map((name) => [name, meant] as const);
}
