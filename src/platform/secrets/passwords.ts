import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { FairQueue } from '../sandbox/fair-queue.ts';

export interface Passwords {
  /**
   * A PHC string, to be stored. Rejects with PasswordsBusyError when too many wait.
   * @param fairKey who asks, such as the network of a client: those who wait are served in turn, whoever asks more often
   */
  hash(password: string, fairKey?: string): Promise<string>;
  /**
   * Whether the password is the one of this hash. `null` (no such user) takes the same time and is
   * false, so that nobody learns from the clock who has an account.
   */
  verify(storedHash: string | null, password: string, fairKey?: string): Promise<boolean>;
  /** Whether a stored hash was made with other parameters, to be made anew at the next login. */
  needsRehash(storedHash: string): boolean;
}

/** Too many hashes are waiting; the caller answers that it cannot serve now. */
export class PasswordsBusyError extends Error {
  constructor() {
    super('Too many concurrent logins.');
    this.name = 'PasswordsBusyError';
  }
}

/**
 * Argon2id with the first choice of the OWASP password storage sheet: 19 MiB, two passes, one lane.
 * @param options.maxParallel each hash takes 19 MiB and one of Node's four threads. Default 2.
 * @param options.maxWaiting beyond it callers are turned away. Default 200.
 */
export function createPasswords(options: { maxParallel?: number; maxWaiting?: number } = {}): Passwords {
  const limit = createLimit(options.maxParallel ?? 2, options.maxWaiting ?? 200);
  const nobody = hashOfNobody();

  return {
    hash: (password, fairKey = '') => limit(fairKey, () => hash(normalize(password), parameters)),
    async verify(storedHash, password, fairKey = '') {
      const isSame = await limit(fairKey, () => verify(storedHash ?? nobody, normalize(password)));
      return storedHash !== null && isSame;
    },
    needsRehash(storedHash) {
      const found = parseOptions(storedHash);
      return (
        found.algorithm !== parameters.algorithm ||
        found.memoryCost !== parameters.memoryCost ||
        found.timeCost !== parameters.timeCost ||
        found.parallelism !== parameters.parallelism
      );
    },
  };
}

// The package's enum exists for its types only.
const argon2id = 2;

const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The same letters typed on another keyboard are the same password (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** A well-formed hash that no password has, as both its parts are random. */
function hashOfNobody(): string {
  const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/u, '');
  const { memoryCost, timeCost, parallelism, outputLen } = parameters;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(outputLen)}`;
}

type Limit = <T>(fairKey: string, work: () => Promise<T>) => Promise<T>;

function createLimit(maxParallel: number, maxWaiting: number): Limit {
  let running = 0;
  const waiting = new FairQueue<{ begin(): void; turnAway(): void }>(maxWaiting);
  return async (fairKey, work) => {
    if (running >= maxParallel) {
      await new Promise<void>((begin, reject) => {
        const turnAway = () => reject(new PasswordsBusyError());
        waiting.add(fairKey, { begin, turnAway })?.turnAway();
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // A place is handed on, so that nobody who comes now takes it from those who wait.
      const next = waiting.take();
      if (next) next.begin();
      else running -= 1;
    }
  };
}
