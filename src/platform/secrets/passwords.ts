import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { withoutTrailing } from '../../domain/text/trailing.ts';
import { createFairLimit, NoCapacityError } from '../fairness/index.ts';

export interface Passwords {
  /**
   * Returns a PHC string to store. Rejects with PasswordsBusyError if too many calls are pending.
   *
   * @param fairKey The caller, such as the network of a client. Pending calls are served round-robin by
   * caller, regardless of how many calls each one has.
   */
  hash(password: string, fairKey?: string): Promise<string>;
  /**
   * Returns true if the password matches the hash. `null` (unknown user) takes the same time and returns
   * false, so that the response time doesn't reveal which accounts exist.
   */
  verify(storedHash: string | null, password: string, fairKey?: string): Promise<boolean>;
  /**
   * Returns true if a stored hash uses other parameters. In that case, the next login rehashes the password.
   */
  needsRehash(storedHash: string): boolean;
}

/** Too many hashes are pending. The caller responds that the service is temporarily unavailable. */
export class PasswordsBusyError extends Error {
  constructor() {
    super('Too many concurrent logins.');
    this.name = 'PasswordsBusyError';
  }
}

/**
 * Creates functions that hash and verify passwords with Argon2id and the first recommendation of the OWASP
 * password storage cheat sheet: 19 MiB, two passes, one lane.
 *
 * @param options.maxParallel Maximum number of parallel hashes. Each takes 19 MiB and one of Node's four
 * threads. Default: 2.
 * @param options.maxWaiting Maximum number of pending calls. Further calls are rejected. Default: 200.
 */
export function createPasswords(options: { maxParallel?: number; maxWaiting?: number } = {}): Passwords {
  const { maxParallel: max = 2, maxWaiting = 200 } = options;
  const turns = createFairLimit({ max, maxPerKey: max, maxWaiting });
  const limit = <T>(fairKey: string, work: () => Promise<T>): Promise<T> =>
    turns.run(fairKey, work).catch((error: unknown) => {
      throw error instanceof NoCapacityError ? new PasswordsBusyError() : error;
    });
  const dummyHash = createDummyHash();

  return {
    hash: (password, fairKey = '') => limit(fairKey, () => hash(normalize(password), parameters)),
    async verify(storedHash, password, fairKey = '') {
      const isSame = await limit(fairKey, () => verify(storedHash ?? dummyHash, normalize(password)));
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

// The package exports its enum only as a type, so its value is repeated here.
const argon2id = 2;

const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Normalizes a password, so that the same characters typed on another keyboard match (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** Returns a well-formed hash that no password matches, because its salt and digest are random. */
function createDummyHash(): string {
  const base64 = (bytes: number): string => withoutTrailing(randomBytes(bytes).toString('base64'), '=');
  const { memoryCost, timeCost, parallelism, outputLen } = parameters;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(outputLen)}`;
}
