/** What routing needs to know of a channel. */
export interface OwningChannel {
  readonly id: number;
  readonly isActive: boolean;
  /** The values of the owner label that it is for. */
  readonly owners: readonly string[];
}

/** The channels that exist, indexed so that an event is routed in the same time however many there are. */
export interface ChannelIndex<Channel extends OwningChannel = OwningChannel> {
  readonly byId: ReadonlyMap<number, Channel>;
  /** The IDs of the active ones, by what `ownerKey` makes of each owner. An owner of inactive ones alone has none. */
  readonly byOwner: ReadonlyMap<string, readonly number[]>;
}

/** @param channels in the order in which those of one owner are notified */
export function indexChannels<Channel extends OwningChannel>(
  channels: readonly Channel[],
): ChannelIndex<Channel> {
  const byOwner = new Map<string, number[]>();
  for (const { id, isActive, owners } of channels) {
    for (const key of new Set(owners.map(ownerKey))) {
      const ids = byOwner.get(key) ?? [];
      byOwner.set(key, ids);
      if (isActive) ids.push(id);
    }
  }
  return { byId: new Map(channels.map((channel) => [channel.id, channel])), byOwner };
}

/**
 * The active channels of the owners that a label names. A value that is an owner as a whole, such as `Team A`, names only
 * this one, whether or not its channels are active; any other names each of its parts, as a line of a CODEOWNERS file does.
 *
 * @param value `null`: the alert doesn't have the label.
 */
export function channelsOfOwners({ byOwner }: ChannelIndex, value: string | null): readonly number[] {
  if (value === null) return [];
  const ofWhole = byOwner.get(ownerKey(value));
  if (ofWhole) return ofWhole;
  return [...new Set(value.split(/[\s,]+/).flatMap((owner) => byOwner.get(ownerKey(owner)) ?? []))];
}

/** Git platforms ignore the case of owners, and discovery stores them without the `@` that CODEOWNERS files have. */
function ownerKey(owner: string): string {
  return owner.trim().replace(/^@+/, '').toLowerCase();
}
