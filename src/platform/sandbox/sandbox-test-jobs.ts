import { getPriority } from 'node:os';

/** Well-behaved and hostile jobs for the sandbox tests. */

const kept: unknown[] = [];

export function double(input: number): number {
  return input * 2;
}

export function processId(): number {
  return process.pid;
}

export function niceness(): number {
  return getPriority();
}

export function environment(): string[] {
  return Object.keys(process.env);
}

export async function sleep(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return 'slept';
}

export function hang(): never {
  for (;;);
}

export function exhaustHeap(): never {
  for (;;) kept.push({ a: [1, 2, 3] });
}

/**
 * Grows a map with ever larger allocations. This aborts the whole process, even if a thread has resource
 * limits.
 */
export function growMap(): never {
  const map = new Map<number, number>();
  for (let index = 0; ; index += 1) map.set(index, index);
}

/** Allocates 40 MB that are never released. */
export function keepMemory(): number {
  return kept.push(Array.from({ length: 5e6 }, () => 0.5));
}

export function fail(): never {
  throw new Error('the job failed');
}

export function exit(): never {
  process.exit(3);
}

export function returnFunction(): unknown {
  return () => undefined;
}

/** Yields the size of each piece, then returns the sum. */
export async function* yieldPieceSizes(
  _input: unknown,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<number, number, undefined> {
  let sum = 0;
  for await (const piece of body) {
    sum += piece.byteLength;
    yield piece.byteLength;
  }
  return sum;
}

/**
 * Yields the numbers from 0 up to `input`, without `input`. Each part equals the number of parts generated
 * before it.
 */
export async function* count(input: number): AsyncGenerator<number, string, undefined> {
  for (let made = 0; made < input; made += 1) yield made;
  return 'counted';
}

/** Reads only the first piece of the body. */
export async function* first(
  _input: unknown,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<number, string, undefined> {
  for await (const piece of body) {
    yield piece.byteLength;
    break;
  }
  return 'read';
}

export async function* hangAfterPart(): AsyncGenerator<string, never, undefined> {
  yield 'part';
  for (;;);
}
