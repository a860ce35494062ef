import { closestMatch } from 'leven';

/** The name that was probably meant: at most a third of its letters differ, or two are swapped. `null` when none is near. */
export function nearestName(name: string, names: readonly string[]): string | null {
  // A longer one is no typing error, and comparing it would cost.
  if (name.length > 60) return null;
  const near = closestMatch(name, names, { maxDistance: Math.max(1, Math.floor(name.length / 3)) });
  return near ?? names.find((each) => isSwapped(name, each)) ?? null;
}

/** Whether two adjacent letters are swapped. The distance counts that as two, which is too much for short names. */
function isSwapped(name: string, other: string): boolean {
  const first = name.split('').findIndex((letter, index) => letter !== other[index]);
  return (
    first >= 0 &&
    `${name.slice(0, first)}${name[first + 1] ?? ''}${name[first]}${name.slice(first + 2)}` === other
  );
}
