import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../errors.ts';

const owners = new AsyncLocalStorage<number>();

/**
 * Runs work for an organization. Its database connections count toward the organization's share. Other work,
 * such as that of the loops, isn't limited.
 */
export function runForOrganization<T>(organizationId: number, work: () => T): T {
  return owners.run(organizationId, work);
}

interface Waiting {
  resolve(end: () => void): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Divides the connections of a pool among organizations. An organization gets another connection only while
 * it uses fewer connections than are free. One organization therefore uses at most half of the pool, three
 * use a quarter each, and some connections are always free for others. Each organization can always use one.
 */
export class ConnectionShares {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #used = new Map<number, number>();
  #usedByAll = 0;
  /** Callers that wait, by organization, in the order of the organizations' turns. */
  readonly #waiting = new Map<number, Waiting[]>();

  /** @param options.waitMs Maximum time to wait for a connection. */
  constructor(max: number, { waitMs }: { waitMs: number }) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  get waitingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Waits until the organization of the caller can use another connection.
   *
   * @returns A function that must be called when the connection is released.
   * @throws ApiError 503 if the organization uses its share for too long.
   */
  async begin(): Promise<() => void> {
    const owner = owners.getStore();
    if (owner === undefined || (!this.#waiting.has(owner) && this.#hasRoom(owner))) return this.#use(owner);
    return new Promise((resolve, reject) => {
      const waiting = {
        resolve,
        reject,
        timer: setTimeout(() => this.#giveUp(owner, waiting), this.#waitMs),
      };
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), waiting]);
    });
  }

  #hasRoom(owner: number): boolean {
    const used = this.#used.get(owner) ?? 0;
    return used === 0 || used < this.#max - this.#usedByAll;
  }

  #use(owner: number | undefined): () => void {
    this.#usedByAll += 1;
    if (owner !== undefined) this.#used.set(owner, (this.#used.get(owner) ?? 0) + 1);
    return () => {
      this.#usedByAll -= 1;
      if (owner !== undefined) {
        const left = this.#used.get(owner)! - 1;
        if (left > 0) this.#used.set(owner, left);
        else this.#used.delete(owner);
      }
      this.#admit();
    };
  }

  /** Lets callers continue if their organization can use another connection. */
  #admit(): void {
    for (const [owner, [first]] of this.#waiting) {
      if (!first || !this.#hasRoom(owner)) continue;
      const rest = this.#waiting.get(owner)!.slice(1);
      // Move the organization behind the others that are waiting.
      this.#waiting.delete(owner);
      if (rest.length > 0) this.#waiting.set(owner, rest);
      clearTimeout(first.timer);
      first.resolve(this.#use(owner));
      return this.#admit();
    }
  }

  #giveUp(owner: number, waiting: Waiting): void {
    const left = this.#waiting.get(owner)!.filter((each) => each !== waiting);
    if (left.length > 0) this.#waiting.set(owner, left);
    else this.#waiting.delete(owner);
    waiting.reject(
      new ApiError(
        'unavailable',
        "Other requests of the organization use its share of the database's connections.",
        {
          retryAfterSeconds: 5,
        },
      ),
    );
  }
}
