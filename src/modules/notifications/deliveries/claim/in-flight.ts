/** How many deliveries may be in flight in this process: in all, for one organization, for one channel. */
export interface InFlightLimits {
  total: number;
  perOrganization: number;
  perChannel: number;
}

export const inFlightLimits: InFlightLimits = { total: 256, perOrganization: 16, perChannel: 4 };

/** Counts what is in flight, and which channels are in hand. */
export class InFlight {
  readonly limits: InFlightLimits;
  readonly #byOrganization = new Map<number, number>();
  readonly #channels = new Set<number>();
  #total = 0;

  constructor(limits: InFlightLimits = inFlightLimits) {
    this.limits = limits;
  }

  /** How many more there may be in all. */
  get capacity(): number {
    return this.limits.total - this.#total;
  }

  get channelIds(): number[] {
    return [...this.#channels];
  }

  /** How many more each organization may have that has something in flight; the others may have `perOrganization`. */
  rooms(): { organizationId: number; capacity: number }[] {
    return [...this.#byOrganization.keys()].map((id) => ({ organizationId: id, capacity: this.#roomOf(id) }));
  }

  /**
   * Takes a channel in hand with room for so many of its deliveries, or for fewer.
   * @returns how many; 0 when there is no room, and the channel is not taken
   */
  take(organizationId: number, channelId: number, wanted: number): number {
    const capacity = Math.min(wanted, this.limits.perChannel, this.capacity, this.#roomOf(organizationId));
    if (capacity <= 0 || this.#channels.has(channelId)) return 0;
    this.#channels.add(channelId);
    this.#change(organizationId, capacity);
    return capacity;
  }

  /** @returns whether there was no room before, so that a channel may be waiting for it */
  giveBack(organizationId: number, count: number): boolean {
    if (count === 0) return false;
    const wasFull = this.capacity === 0 || this.#roomOf(organizationId) === 0;
    this.#change(organizationId, -count);
    return wasFull;
  }

  leave(channelId: number): void {
    this.#channels.delete(channelId);
  }

  #roomOf(organizationId: number): number {
    return this.limits.perOrganization - (this.#byOrganization.get(organizationId) ?? 0);
  }

  #change(organizationId: number, by: number): void {
    this.#total += by;
    const count = (this.#byOrganization.get(organizationId) ?? 0) + by;
    if (count > 0) this.#byOrganization.set(organizationId, count);
    else this.#byOrganization.delete(organizationId);
  }
}
