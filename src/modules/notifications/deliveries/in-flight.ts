/** How many deliveries may be in flight in this process: in all, for one organization, for one channel. */
export interface InFlightLimits {
  total: number;
  perOrganization: number;
  perChannel: number;
}

export const inFlightLimits: InFlightLimits = { total: 256, perOrganization: 16, perChannel: 4 };

/** Counts what is in flight, and which channels are in hand. */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #byOrganization = new Map<number, number>();
  readonly #channels = new Set<number>();
  #total = 0;

  constructor(limits: InFlightLimits = inFlightLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#total >= this.#limits.total;
  }

  get channelIds(): number[] {
    return [...this.#channels];
  }

  get fullOrganizationIds(): number[] {
    return [...this.#byOrganization.keys()].filter((id) => this.#of(id) >= this.#limits.perOrganization);
  }

  /**
   * Takes a channel in hand with room for so many of its deliveries, or for fewer.
   * @returns how many; 0 when there is no room, and the channel is not taken
   */
  take(organizationId: number, channelId: number, wanted: number): number {
    const room = Math.min(
      wanted,
      this.#limits.perChannel,
      this.#limits.total - this.#total,
      this.#limits.perOrganization - this.#of(organizationId),
    );
    if (room <= 0 || this.#channels.has(channelId)) return 0;
    this.#channels.add(channelId);
    this.#change(organizationId, room);
    return room;
  }

  giveBack(organizationId: number, count: number): void {
    this.#change(organizationId, -count);
  }

  leave(channelId: number): void {
    this.#channels.delete(channelId);
  }

  #of(organizationId: number): number {
    return this.#byOrganization.get(organizationId) ?? 0;
  }

  #change(organizationId: number, by: number): void {
    this.#total += by;
    const count = this.#of(organizationId) + by;
    if (count > 0) this.#byOrganization.set(organizationId, count);
    else this.#byOrganization.delete(organizationId);
  }
}
