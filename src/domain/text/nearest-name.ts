import { closestMatch } from 'leven';

/** The name that was probably meant: at most a third of its letters differ. `null` when none is near. */
export function nearestName(name: string, names: readonly string[]): string | null {
  // A longer one is no typing error, and comparing it would cost.
  if (name.length > 60) return null;
  return closestMatch(name, names, { maxDistance: Math.max(1, Math.floor(name.length / 3)) }) ?? null;
}
