import { nearestName } from '../domain/text/nearest-name.ts';

/** For a first argument that is no command. */
export function unknownCommandMessage(name: string, commands: readonly string[]): string {
  const near = nearestName(name, commands);
  return `pacekeeper: unknown command "${name}".${near ? ` Did you mean ${near}?` : ''} Run 'pacekeeper --help' to list commands.\n`;
}
