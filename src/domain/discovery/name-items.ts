import { cleanLine } from '../templates/clean-text.ts';
import { shortName } from './guess-labels.ts';

export const maxNameLength = 200;

/** The fields of an item from which its name is built. */
export interface ItemNameParts {
  readonly artifactName: string;
  readonly service: string | null;
  readonly environment: string | null;
  readonly namespace: string | null;
  readonly file: string;
}

/**
 * Returns the possible names of an item, from short to long. The item gets the first name that isn't taken.
 * Only the last name depends on the path.
 */
export function itemNames({ artifactName, service, environment, namespace, file }: ItemNameParts): string[] {
  const short = shortName(artifactName);
  const what = service === null || service === short ? short : `${service}: ${short}`;
  const where = environment === null ? what : `${what} (${environment})`;
  const inNamespace = namespace === null ? [] : [`${where} in ${namespace}`];
  return [where, ...inNamespace, `${where}, ${file}`];
}

/**
 * Returns a function that never returns the same name twice.
 * @param taken Names that are already in use.
 */
export function createNameAllocator(taken: Iterable<string> = []): (candidates: readonly string[]) => string {
  const used = new Set(taken);
  return (candidates) => {
    const names = candidates.map((name) => cleanLine(name, maxNameLength - 6));
    const last = names.at(-1) || 'unnamed';
    let name = names.find((each) => each !== '' && !used.has(each));
    for (let number = 2; name === undefined; number++)
      if (!used.has(`${last} #${number}`)) name = `${last} #${number}`;
    used.add(name);
    return name;
  };
}
