/** The known name of a variable that is likely meant by one that does not exist. */
export function nearestName(name: string, known: readonly string[]): string {
  // PACEKEEPER_PORT and PACEKEEPER_DATABASE_URL are likely guesses for names without the prefix.
  const bare = (text: string) => text.replace(/^PACEKEEPER_/, '');
  const distances = known.map((candidate) => ({
    candidate,
    distance: editDistance(bare(name), bare(candidate)),
  }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).candidate;
}

/** How many characters have to be put in, taken out or replaced to get from one to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
