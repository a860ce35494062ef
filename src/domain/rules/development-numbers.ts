import type { Version } from '../versions/version-scheme.ts';

/**
 * Finds development versions, whose number leads up to the next version: `6.4.90` after 6.4.5, `1.24.99`
 * after 1.24.1, `2.99.16` after 2.10.38. Projects that use such numbers skip at least forty numbers before
 * them. A number that a project reaches by increments of one, such as 9.0.90 after 9.0.89, doesn't mark a
 * development version.
 * @returns A function that recognizes these versions, or `null` if the list contains none.
 */
export function findDevelopmentNumbers(versions: readonly Version[]): ((version: Version) => boolean) | null {
  if (!versions.some(mayMarkDevelopment)) return null;
  const numbers = new Map<string, Set<number>>();
  for (const version of versions) {
    if (version.isDate || version.isPrerelease) continue;
    for (const place of places) {
      const known = numbers.get(keyAt(version, place)) ?? new Set();
      numbers.set(keyAt(version, place), known.add(Number(version.numbers[place] ?? 0)));
    }
  }
  const developed = new Set<string>();
  for (const [key, all] of numbers) {
    const first = Math.min(...[...all].filter((number) => number >= firstDevelopment));
    const before = Math.max(...[...all].filter((number) => number < firstDevelopment));
    const isMarked = first === lastDevelopment || (first === firstDevelopment && !key.startsWith('1'));
    if (isMarked && before >= 0 && before < highestBefore && Math.max(...all) <= lastDevelopment)
      developed.add(key);
  }
  if (developed.size === 0) return null;
  return (version) =>
    places.some((place) => {
      const number = Number(version.numbers[place] ?? 0);
      return number >= firstDevelopment && number <= lastDevelopment && developed.has(keyAt(version, place));
    });
}

function mayMarkDevelopment({ numbers: [, minor = 0, patch = 0] }: Version): boolean {
  return minor === lastDevelopment || (patch >= firstDevelopment && patch <= lastDevelopment);
}

/**
 * Indexes of the numbers that can mark a development version: the minor number (only if it's 99) and the patch number.
 */
const places = [1, 2] as const;
const firstDevelopment = 90;
const lastDevelopment = 99;
const highestBefore = 50;

function keyAt({ line, numbers }: Version, place: (typeof places)[number]): string {
  return `${place}\0${line}\0${numbers.slice(0, place).join('.')}`;
}
