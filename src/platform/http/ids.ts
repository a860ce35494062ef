const largestInt64 = 9_223_372_036_854_775_807n;

/** Ids are counted up from 1: this one has never existed, and it stands for all of 64 bits that are beyond it. */
export const largestId = Number.MAX_SAFE_INTEGER;

export function isInt64Id(text: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= largestInt64;
}

/** Whether a number is an id of 64 bits that JavaScript cannot tell from its neighbors. */
export function isBeyondIds(value: unknown): boolean {
  return (
    typeof value === 'number' && value > largestId && value <= Number(largestInt64) && Number.isInteger(value)
  );
}
