import { Counts } from '../../../../platform/fairness/index.ts';

/** Maximum number of deliveries in flight in this process: in total, per organization, and per channel. */
export interface InFlightLimits {
  total: number;
  perOrganization: number;
  perChannel: number;
}

export const inFlightLimits: InFlightLimits = { total: 256, perOrganization: 16, perChannel: 4 };

/** Counts deliveries in flight, and tracks the channels that are being processed. */
export class InFlightTracker {
  readonly limits: InFlightLimits;
  readonly #byOrganization = new Counts<number>();
  readonly #channels = new Set<number>();
  #total = 0;

  constructor(limits: InFlightLimits = inFlightLimits) {
    this.limits = limits;
  }

  /** Number of additional deliveries that can start, in total. */
  get capacity(): number {
    return this.limits.total - this.#total;
  }

  get channelIds(): number[] {
    return [...this.#channels];
  }

  /**
   * Returns the remaining capacity of each organization with deliveries in flight. Other organizations have
   * `perOrganization`.
   */
  remainingCapacities(): { organizationId: number; capacity: number }[] {
    return this.#byOrganization.keys().map((id) => ({ organizationId: id, capacity: this.#roomOf(id) }));
  }

  /**
   * Reserves a channel with capacity for up to `wanted` deliveries.
   * @returns The reserved capacity, or 0 if the channel wasn't reserved.
   */
  reserve(organizationId: number, channelId: number, wanted: number): number {
    const capacity = Math.min(wanted, this.limits.perChannel, this.capacity, this.#roomOf(organizationId));
    if (capacity <= 0 || this.#channels.has(channelId)) return 0;
    this.#channels.add(channelId);
    this.#change(organizationId, capacity);
    return capacity;
  }

  /** @returns True if there was no capacity before, so a channel may be waiting for capacity. */
  release(organizationId: number, count: number): boolean {
    if (count === 0) return false;
    const wasFull = this.capacity === 0 || this.#roomOf(organizationId) === 0;
    this.#change(organizationId, -count);
    return wasFull;
  }

  leave(channelId: number): void {
    this.#channels.delete(channelId);
  }

  #roomOf(organizationId: number): number {
    return this.limits.perOrganization - this.#byOrganization.of(organizationId);
  }

  #change(organizationId: number, by: number): void {
    this.#total += by;
    this.#byOrganization.add(organizationId, by);
  }
}
