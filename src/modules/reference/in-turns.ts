/** An item that several organizations can request at the same time. */
export interface RequestedItem {
  readonly key: string;
  readonly organizations: ReadonlySet<number>;
  /** Time at which the item was last selected, in milliseconds since 1970. `null` if never. */
  readonly lastMs: number | null;
}

/**
 * Selects up to `max` keys with organizations taking turns. Each turn selects the organization's item that
 * has waited longest, so a large number of items of one organization doesn't delay the others.
 */
export function takeRoundRobin(wanted: readonly RequestedItem[], max: number): string[] {
  const queues = new Map<number, RequestedItem[]>();
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

function byLastTurn(a: RequestedItem, b: RequestedItem): number {
  return (a.lastMs ?? 0) - (b.lastMs ?? 0) || (a.key < b.key ? -1 : 1);
}
