/** The fields of a channel that routing uses. */
export interface OwningChannel {
  readonly id: number;
  readonly isActive: boolean;
  /** Values of the owner label whose alerts this channel receives. */
  readonly owners: readonly string[];
}

/**
 * Index of all existing channels. With the index, the time to route an event doesn't depend on the number of
 * channels.
 */
export interface ChannelIndex<Channel extends OwningChannel = OwningChannel> {
  readonly byId: ReadonlyMap<number, Channel>;
  /**
   * IDs of active channels by the `ownerKey` of each owner. The list is empty if all channels of an owner are
   * inactive.
   */
  readonly byOwner: ReadonlyMap<string, readonly number[]>;
}

/** @param channels The channels, in the order in which channels of the same owner are notified. */
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
 * Returns the active channels of the owners in a label. If any channel, active or not, lists the whole value
 * as an owner, such as `Team A`, the value is a single owner. Otherwise, the value is split into owners like
 * a line of a CODEOWNERS file.
 *
 * @param value The value of the owner label, or `null` if the alert doesn't have the label.
 */
export function channelsOfOwners({ byOwner }: ChannelIndex, value: string | null): readonly number[] {
  if (value === null) return [];
  const ofWhole = byOwner.get(ownerKey(value));
  if (ofWhole) return ofWhole;
  return [...new Set(value.split(/[\s,]+/).flatMap((owner) => byOwner.get(ownerKey(owner)) ?? []))];
}

/**
 * Normalizes an owner. Git platforms ignore the case of owners, and discovery stores them without the `@`
 * that CODEOWNERS files use.
 */
function ownerKey(owner: string): string {
  return owner.trim().replace(/^@+/, '').toLowerCase();
}
