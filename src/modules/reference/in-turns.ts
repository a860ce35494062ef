/** What several organizations can want at once. */
export interface Wanted {
  readonly key: string;
  readonly organizations: ReadonlySet<number>;
  /** When it had its last turn, in milliseconds since 1970. `null`: never. */
  readonly lastMs: number | null;
}

/** The first keys when organizations take turns, each with what it has waited for the longest: many wishes of one delay no other. */
export function inTurns(wanted: readonly Wanted[], max: number): string[] {
  const queues = new Map<number, Wanted[]>();
  for (const each of wanted)
    for (const organization of each.organizations) {
      const queue = queues.get(organization) ?? [];
      queue.push(each);
      queues.set(organization, queue);
    }
  const turns = [...queues]
    .toSorted(([a], [b]) => a - b)
    .map(([, queue]) => queue.toSorted(byLastTurn).values());
  const keys = new Set<string>();
  for (let open = turns; open.length > 0 && keys.size < max; )
    open = open.filter((queue) => {
      for (let { value, done } = queue.next(); !done; { value, done } = queue.next()) {
        if (keys.has(value!.key)) continue;
        if (keys.size < max) keys.add(value!.key);
        return true;
      }
      return false;
    });
  return [...keys];
}

function byLastTurn(a: Wanted, b: Wanted): number {
  return (a.lastMs ?? 0) - (b.lastMs ?? 0) || (a.key < b.key ? -1 : 1);
}
