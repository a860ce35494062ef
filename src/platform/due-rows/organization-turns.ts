import { Counts } from '../fairness/index.ts';

/** Maximum number of organizations that are remembered because their rows were triggered. */
const maxTriggered = 1_000;

/** Tracks which organizations triggered rows and have rows in flight, for a loop whose organizations take turns. */
export class OrganizationTurns {
  /** Organizations whose rows were triggered since the last claim. */
  readonly #triggered = new Set<number>();
  readonly #inFlight = new Counts<number>();

  addTriggered(organizationId: number): void {
    if (this.#triggered.size < maxTriggered) this.#triggered.add(organizationId);
  }

  /** Removes up to `count` organizations from the triggered ones, and returns them. */
  takeTriggered(count = Infinity): number[] {
    return this.#take([...this.#triggered].slice(0, Math.floor(count)));
  }

  /** The same for organizations without rows in flight. */
  takeIdle(count: number): number[] {
    return this.#take(this.#idle().slice(0, count));
  }

  hasIdle(): boolean {
    return this.#idle().length > 0;
  }

  countInFlight(organizationId: number, by: number): void {
    this.#inFlight.add(organizationId, by);
  }

  #idle(): number[] {
    return [...this.#triggered].filter((organizationId) => this.#inFlight.of(organizationId) === 0);
  }

  #take(organizationIds: number[]): number[] {
    for (const organizationId of organizationIds) this.#triggered.delete(organizationId);
    return organizationIds;
  }
}
