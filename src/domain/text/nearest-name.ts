import { closestMatch } from 'leven';

/**
 * Returns the name that the user probably meant: the closest name, if at most a third of its letters differ
 * or two adjacent letters are swapped. Returns `null` if no name is close enough.
 */
export function nearestName(name: string, names: readonly string[]): string | null {
  // A name this long isn't a typo, and comparing it would be expensive.
  if (name.length > 60) return null;
  const near = closestMatch(name, names, { maxDistance: Math.max(1, Math.floor(name.length / 3)) });
  return near ?? names.find((each) => isSwapped(name, each)) ?? null;
}

/** True if two adjacent letters are swapped. The edit distance of a swap is two, which is too many for short names. */
function isSwapped(name: string, other: string): boolean {
  const first = name.split('').findIndex((letter, index) => letter !== other[index]);
  return (
    first >= 0 &&
    `${name.slice(0, first)}${name[first + 1] ?? ''}${name[first]}${name.slice(first + 2)}` === other
  );
}
